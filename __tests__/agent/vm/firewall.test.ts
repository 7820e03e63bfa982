import { describe, expect, test } from '@jest/globals'
import { blockServices, rulesOf, serviceOf, type Way } from '../../../src/agent/vm/firewall.ts'
import { asScriptUser } from '../../../src/agent/vm/script-user.ts'

describe('a service that the script must not reach', () => {
  test('is closed to the script’s slice, to its user elsewhere, and to forwarded traffic, by its address, on every port but that of names', () => {
    const rules = rulesOf(['169.254.169.254', 'fd00:ec2::254'].map(serviceOf), [
      'socket cgroupv2 level 2 "tpi.slice/tpi-script.slice"',
      'meta skuid "tpi"',
    ])
    expect(rules.split('\n').filter((line) => line.includes('daddr'))).toEqual([
      '    socket cgroupv2 level 2 "tpi.slice/tpi-script.slice" ip daddr 169.254.169.254 tcp dport != 53 reject with tcp reset',
      '    socket cgroupv2 level 2 "tpi.slice/tpi-script.slice" ip6 daddr fd00:ec2::254 tcp dport != 53 reject with tcp reset',
      '    meta skuid "tpi" ip daddr 169.254.169.254 tcp dport != 53 reject with tcp reset',
      '    meta skuid "tpi" ip6 daddr fd00:ec2::254 tcp dport != 53 reject with tcp reset',
      '    ip daddr 169.254.169.254 tcp dport != 53 reject with tcp reset',
      '    ip6 daddr fd00:ec2::254 tcp dport != 53 reject with tcp reset',
    ])
  })

  test.each(['168.63.129.16:53', 'metadata.google.internal', '1.2.3.4; flush ruleset'])('is never %s', (address) => {
    expect(() => serviceOf(address)).toThrow('is not a service that can be blocked')
  })
})

describe('how a machine closes a service', () => {
  const closed = ['169.254.169.254']
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

  test('is silent if the best way works', async () => {
    expect(await said(closes(''), refuses('never tried'))).toEqual([])
  })

  test('says what the next best way does not cover, and why it is used', async () => {
    expect(await said(refuses('there is no nft'), refuses('there is no nft'), closes('by its user only'), closes(''))).toEqual([
      'the script is kept from 169.254.169.254 by its user only (there is no nft)',
    ])
  })

  test('says plainly that there is no way', async () => {
    expect(await said(refuses('there is no nft'), refuses('there is no ip'))).toEqual([
      'the script can reach 169.254.169.254: nothing on this machine can prevent that (there is no nft; there is no ip)',
    ])
  })
})

test('a user without sudo does not become root through a setuid program', () => {
  const argv = ['bash', 'file']
  expect(asScriptUser({ argv, env: {} }, { sudo: false }).argv).toContain('--no-new-privs')
  expect(asScriptUser({ argv, env: {} }, { sudo: true }).argv).not.toContain('--no-new-privs')
})
