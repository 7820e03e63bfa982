import { chown, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { ownersOf, ownNumber } from '../../src/lib/user.ts'

test('a file has one owner; a link has its own, besides that of what it leads to', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tpi-user-'))
  try {
    const [file, link] = [join(folder, 'file'), join(folder, 'link')]
    await writeFile(file, '')
    await symlink('file', link)
    const own = ownNumber()
    expect([await ownersOf(file), await ownersOf(folder)]).toEqual([
      [own, own],
      [own, own],
    ])
    // Only root can give files away.
    const other = own === 0 ? 1001 : own
    if (own === 0) await chown(file, 1001, 1001)
    expect(await ownersOf(link)).toEqual([own, other])
    await expect(ownersOf(join(folder, 'gone'))).rejects.toMatchObject({ code: 'ENOENT' })
  } finally {
    await rm(folder, { recursive: true })
  }
})
