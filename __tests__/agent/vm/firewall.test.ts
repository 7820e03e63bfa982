import { describe, expect, test } from '@jest/globals'
import { blockServices, rulesOf, serviceOf, type Way } from '../../../src/agent/vm/firewall.ts'
import { asScriptUser } from '../../../src/agent/vm/script-user.ts'

describe('what a script must not reach', () => {
  test('is refused to its slice and to what the machine forwards, by address and port', () => {
    const rules = rulesOf(
      ['169.254.169.254:80', '[fd00:ec2::254]:80'].map(serviceOf),
      'socket cgroupv2 level 2 "tpi.slice/tpi-script.slice"',
    )
    expect(rules.split('\n').filter((line) => line.includes('daddr'))).toEqual([
      '    socket cgroupv2 level 2 "tpi.slice/tpi-script.slice" ip daddr 169.254.169.254 tcp dport 80 reject with tcp reset',
      '    socket cgroupv2 level 2 "tpi.slice/tpi-script.slice" ip6 daddr fd00:ec2::254 tcp dport 80 reject with tcp reset',
      '    ip daddr 169.254.169.254 tcp dport 80 reject with tcp reset',
      '    ip6 daddr fd00:ec2::254 tcp dport 80 reject with tcp reset',
    ])
  })

  test.each(['168.63.129.16:53', '169.254.169.254', 'metadata.google.internal:80', '1.2.3.4:80; flush ruleset'])(
    'is never %s',
    (address) => {
      expect(() => serviceOf(address)).toThrow('is not a service that can be blocked')
    },
  )
})

describe('a machine has one way or another to refuse it', () => {
  const closed = ['169.254.169.254:80']
  const refuses = (problem: string): Way => ({
    weaker: '',
    close: async () => {
      throw new Error(problem)
    },
  })
  const closes = (weaker: string): Way => ({ weaker, close: async () => undefined })
  const said = async (...ways: readonly Way[]): Promise<readonly string[]> => {
    const lines: string[] = []
    await blockServices(closed, (line) => lines.push(line), ways)
    return lines
  }

  test('and says nothing where the best one works', async () => {
    expect(await said(closes(''), refuses('never tried'))).toEqual([])
  })

  test('and says what the next best does not cover, and why it was taken', async () => {
    expect(await said(refuses('there is no nft'), refuses('there is no nft'), closes('by its user only'), closes(''))).toEqual([
      'the script is kept from 169.254.169.254:80 by its user only (there is no nft)',
    ])
  })

  test('or says plainly that it has none', async () => {
    expect(await said(refuses('there is no nft'), refuses('there is no ip'))).toEqual([
      'the script can reach 169.254.169.254:80: nothing on this machine can prevent that (there is no nft; there is no ip)',
    ])
  })
})

test('whoever may not become root gains nothing by a program that would make it so', () => {
  expect(asScriptUser(['bash', 'file'], { sudo: false })).toContain('--no-new-privs')
  expect(asScriptUser(['bash', 'file'], { sudo: true })).not.toContain('--no-new-privs')
})
