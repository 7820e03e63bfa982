import { describe, expect, test } from '@jest/globals'
import { globs, globsOrInside } from '../../src/lib/glob.ts'

describe('globs', () => {
  test.each([
    [['results/**'], 'results/a/b.txt', true],
    [['results/**'], 'other/a', false],
    [['results'], 'results', true],
    [['results'], 'results/deep/er', true],
    [['results/'], 'results/a', true],
    [['./results'], 'results/a', true],
    [['/results'], 'results/a', true],
    [['*.txt'], 'a.txt', true],
    [['*.txt'], 'sub/a.txt', false],
    [['**/*.txt'], 'sub/a.txt', true],
    [['**/*.txt'], 'a.txt', true],
    [['*'], '.hidden', true],
    [['**'], 'a/.b/c', true],
    [['.'], 'anything/at/all', true],
    [['{a,b}/*'], 'b/x', true],
    [['[ab].txt'], 'b.txt', true],
    [['results/**', '!results/tmp'], 'results/tmp/x', false],
    [['results/**', '!results/tmp', 'results/tmp/keep'], 'results/tmp/keep', true],
    [['!results'], 'other', false],
    [[], 'a', false],
    [['ünï cödé/**'], 'ünï cödé/x', true],
    // Names that contain what also has a meaning in patterns.
    [['report (1).pdf'], 'report (1).pdf', true],
    [['run (1)/*.pt'], 'run (1)/model.pt', true],
    [['out', '!out/(old)'], 'out/(old)/x', false],
    [['lr=[0.1, 0.2]/**'], 'lr=[0.1, 0.2]/model.pt', true],
    [['{a,b}'], '{a,b}/x', true],
    [[String.raw`a\b`], String.raw`a\b`, true],
    [['!!(a)'], 'other', false],
    // Names with line breaks.
    [['results/**'], 'results/a\nb', true],
    [['results'], 'results/c\r\u2028d/e', true],
    [['**/*.log'], 'a\nb/c.log', true],
    [['results/**', '!results/tmp'], 'results/tmp/a\nb', false],
  ])('%j on %j: %s', (patterns, path, expected) => {
    expect(globs(patterns)(path)).toBe(expected)
  })
})

describe('globs for a folder that cannot be looked into', () => {
  test.each([
    [['results/*.csv'], 'results', true],
    [['results/*/metrics.json'], 'results/run 1', true],
    [['results/**/*.csv'], 'results/a/b', true],
    [['**/out/*.csv'], 'a/out', true],
    [['run (1)/*.pt'], 'run (1)', true],
    [['results'], 'results/a', true],
    [['results/*.csv'], 'results/cache', false],
    [['results/*.csv'], 'resul', false],
    [['results/**/*.csv', '!results/tmp'], 'results/tmp', false],
    [['**/*.csv'], 'pgdata', false],
    [['*/*.csv'], 'pgdata', false],
    [['model.pt'], 'pgdata', false],
  ])('%j on %j: %s', (patterns, folder, expected) => {
    expect(globsOrInside(patterns)(folder)).toBe(expected)
  })
})
