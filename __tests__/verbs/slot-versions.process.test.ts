/** Several slots write the same file: none of their results is lost, also if one of them is what was uploaded. */
import { expect, test } from '@jest/globals'
import { worldPer } from '../setup/world-per.ts'

const w = worldPer('file')

const read = async (...paths: string[]): Promise<Record<string, string>> =>
  Object.fromEntries(await Promise.all(paths.map(async (path) => [path, (await w.read(path)).trim()] as const)))

test.each([
  ['merge', ['m/0/out', 'm/1/out', 'm/one', 'm/out'], ['0', '1', 'new', '0'], 1],
  ['index', ['index/0/out', 'index/1/out', 'index/0/one', 'index/one'], ['0', '1', 'new', 'old'], 0],
])('one that a slot has written again as it was uploaded: %s', async (layout, paths, contents, conflicts) => {
  const [folder = ''] = paths[0]?.split('/') ?? []
  await w.write(`${folder}/out`, '0\n')
  await w.write(`${folder}/one`, 'old')
  const task = `task --name ${folder} --parallelism 2 --workdir ${folder} --output out --output one --output-layout ${layout}`
  const ran = await w.tpi([...task.split(' '), '--script', 'echo $TPI_INDEX > out; [ $TPI_INDEX = 1 ] || echo new > one'])
  expect(ran.code).toBe(0)
  expect(Object.values(await read(...paths))).toEqual(contents)
  expect(ran.host.lines.filter((line) => line.startsWith('warn: out: slots made different versions'))).toHaveLength(conflicts)
})

test('one that was delivered, and uploaded again by a resumed run in which another slot writes it', async () => {
  await w.write('half/in', 'x')
  const task = 'task --name half --parallelism 2 --workdir half --output out'.split(' ')
  const script = '[ $TPI_INDEX = 0 ] || [ -e mended ] || exit 3; echo $TPI_INDEX > out'
  expect((await w.tpi([...task, '--script', script])).code).toBe(3)
  expect(await read('half/out')).toEqual({ 'half/out': '0' })
  await w.write('half/mended', '')
  expect((await w.tpi([...task, '--resume', '--script', script])).code).toBe(0)
  expect(await read('half/out', 'half/0/out', 'half/1/out')).toEqual({ 'half/out': '0', 'half/0/out': '0', 'half/1/out': '1' })
})

test('those that come to another folder: what is missing there, because it is as it was uploaded, is counted', async () => {
  await w.write('w/results/same', '1\n')
  const task = 'task --name far --workdir w --output results/** --output-dir far'.split(' ')
  const ran = await w.tpi([...task, '--script', 'echo 1 > results/same; echo 2 > results/new'])
  expect(ran.host.lines.join('\n')).toMatch(/outputs +1 file \(2 B\) in .*far, 1 unchanged since the upload left out/)
  const none = await w.tpi([...task.slice(0, -1), 'nothing', '--script', 'echo 1 > other'])
  expect(none.host.lines.join('\n')).toMatch(/none that differ from what was uploaded; nothing was written to .*nothing/)
  await expect(w.read('nothing')).rejects.toMatchObject({ code: 'ENOENT' })
})
