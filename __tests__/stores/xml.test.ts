import { describe, expect, test } from '@jest/globals'
import { assert, property, string } from 'fast-check'
import { parseIni } from '../../src/stores/s3/access.ts'
import { child, childrenOf, parseXml, textOf, xmlText } from '../../src/stores/xml.ts'
import { anyCharacter } from '../setup/character.ts'

describe('xml', () => {
  test('reads what S3 writes', () => {
    const root = parseXml(
      '<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><IsTruncated>true</IsTruncated>' +
        '<Contents><Key>a&amp;b&lt;c&gt;&#x1;&#10;</Key><Owner><ID>1</ID></Owner></Contents><Contents><Key> two </Key></Contents><Prefix/><Empty></Empty></ListBucketResult>\n',
    )
    expect(root.name).toBe('ListBucketResult')
    expect(textOf(root, 'IsTruncated')).toBe('true')
    expect(childrenOf(root, 'Contents').map((one) => textOf(one, 'Key'))).toEqual(['a&b<c>\u0001\n', ' two '])
    expect(textOf(root, 'Prefix')).toBe('')
    expect(child(root, 'Empty')?.children).toEqual([])
    expect(child(root, 'None')).toBeUndefined()
  })

  const wrong = [
    '',
    'text',
    '<a>',
    '<a></b>',
    '</a>',
    '<a/><b/>',
    '<a/>text',
    '<a>&unknown;</a>',
    '<a>&amp</a>',
    '<a>&#x110000;</a>',
    '<a>&#xZZ;</a>',
    '<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>',
    '<a><![CDATA[x]]></a>',
    '<a b=c></a>',
    '<html><br></html>',
    '<a><b>x</b',
  ]
  test.each(wrong)('refuses %j', (source) => {
    expect(() => parseXml(source)).toThrow('malformed XML')
  })

  test('any text comes back unchanged', () => {
    assert(
      property(string({ unit: anyCharacter }), (text) => {
        expect(textOf(parseXml(`<a><b>${xmlText(text)}</b></a>`), 'b')).toBe(text)
      }),
    )
  })
})

describe('ini', () => {
  test('reads the files of ~/.aws', () => {
    const ini = parseIni(
      '# comment\n[default]\naws_access_key_id = AKIA\naws_secret_access_key=s=e/c+r;et\n\n[profile other]\r\nREGION = eu-west-1 ; note\r\ns3 =\r\n  max = 5\n; x = y\nnonsense\n["quoted name"]\nregion=x\n[default]\nregion = us-west-2\n',
    )
    expect([...ini.keys()]).toEqual(['default', 'other', 'quoted name'])
    expect(Object.fromEntries(ini.get('default')!)).toEqual({
      aws_access_key_id: 'AKIA',
      aws_secret_access_key: 's=e/c+r;et',
      region: 'us-west-2',
    })
    expect(Object.fromEntries(ini.get('other')!)).toEqual({ region: 'eu-west-1', s3: '', 's3.max': '5' })
  })

  test('blanks at the end of a line, and before all lines of a section, mean nothing', () => {
    const ini = parseIni('[a] \n  id = AKIA  \n  key = x\t\n  s3 =\n    region = nested\n  region = eu-west-1 \n[b]\nregion = us-east-1\n')
    expect(Object.fromEntries(ini.get('a')!)).toEqual({ id: 'AKIA', key: 'x', s3: '', 's3.region': 'nested', region: 'eu-west-1' })
    expect(Object.fromEntries(ini.get('b')!)).toEqual({ region: 'us-east-1' })
  })
})
