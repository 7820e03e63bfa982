/** The load of a slot over time, as a chart in the language that GitHub and GitLab draw inside Markdown (mermaid). */

import { chartWords } from '../lib/markdown.ts'
import type { Sample } from '../wire/sample.ts'

/** Points of a curve: more cannot be told apart. */
const MOST_POINTS = 60

/** Stronger colours than mermaid's own, because the chart has no legend and its title names them; and less height, which would be that of a page. */
const STYLE =
  '%%{init: {"xyChart": {"width": 860, "height": 300, "titleFontSize": 16}, "themeVariables": {"xyChart": {"plotColorPalette": "#0969da, #cf222e, #1a7f37"}}}}%%'

/** Curves of CPU, memory and (if there are any) GPUs of one slot, in percent. `undefined`: there are fewer than two samples. */
export function loadChart(title: string, samples: readonly Sample[]): string | undefined {
  if (samples.length < 2) return undefined
  const points = buckets(samples)
  const seconds = (Date.parse(samples.at(-1)?.at ?? '') - Date.parse(samples[0]?.at ?? '')) / 1000
  const [unit, length] = seconds < 120 ? ['seconds', seconds] : ['minutes', seconds / 60]
  const percent = (shares: readonly number[]): number => Math.min(100, Math.round(100 * mean(shares)))
  const curve = (share: (sample: Sample) => number): string => `  line [${points.map((bucket) => percent(bucket.map(share))).join(', ')}]`
  const gpus = samples.some((sample) => (sample.gpus?.length ?? 0) > 0)
  return [
    STYLE,
    'xychart-beta',
    `  title "${chartWords(title)}"`,
    `  x-axis "${unit}" 0 --> ${Math.max(0.1, Number(length.toFixed(1)))}`,
    '  y-axis "percent" 0 --> 100',
    curve((sample) => sample.cpu),
    curve((sample) => (sample.memoryTotal > 0 ? sample.memory / sample.memoryTotal : 0)),
    ...(gpus ? [curve(gpuShare)] : []),
  ].join('\n')
}

/** How busy the GPUs of a machine are on average, 0 … 1. */
export function gpuShare({ gpus = [] }: Pick<Sample, 'gpus'>): number {
  return gpus.length === 0 ? 0 : mean(gpus.map(({ busy }) => busy))
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

/** The samples by spans of equal length, because the points of a curve have equal distances; samples of a young run are closer to each other. */
function buckets(samples: readonly Sample[]): Sample[][] {
  const times = samples.map((sample) => Date.parse(sample.at))
  const [first = 0, last = 0] = [times[0], times.at(-1)]
  const found = Array.from({ length: Math.min(MOST_POINTS, samples.length) }, (): Sample[] => [])
  for (const [at, sample] of samples.entries()) {
    const share = last > first ? ((times[at] ?? first) - first) / (last - first) : 0
    found[Math.min(found.length - 1, Math.max(0, Math.floor(share * found.length)))]?.push(sample)
  }
  // A span without samples gets the last one before it.
  for (const [at, bucket] of found.entries()) if (bucket.length === 0) bucket.push(...(found[at - 1]?.slice(-1) ?? []))
  return found
}
