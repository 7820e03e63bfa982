import { describe, expect, test } from '@jest/globals'
import { asScriptUser } from '../../../src/agent/vm/script-user.ts'
import { rulesOf } from '../../../src/agent/vm/shield.ts'

describe('what a script must not reach', () => {
  test('is refused to its slice and to what the machine forwards, by address and port', () => {
    const rules = rulesOf(['169.254.169.254:80', '[fd00:ec2::254]:80'], 'socket cgroupv2 level 2 "tpi.slice/tpi-script.slice"')
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
      expect(() => rulesOf([address], 'meta skuid "tpi"')).toThrow('is no service that can be closed')
    },
  )
})

test('whoever may not become root gains nothing by a program that would make it so', () => {
  expect(asScriptUser(['bash', 'file'], { sudo: false })).toContain('--no-new-privs')
  expect(asScriptUser(['bash', 'file'], { sudo: true })).not.toContain('--no-new-privs')
})
