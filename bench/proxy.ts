/**
 * `node proxy.ts PORT MILLISECONDS [RATE]`: the delay proxy in a separate process, so that it takes no time from what is measured. Prints its port.
 * RATE: bytes per second each way.
 */
import { startDelayProxy } from '../__tests__/lab/delay-proxy.ts'

const [port, roundTrip, rate] = process.argv.slice(2).map(Number)
const proxy = await startDelayProxy(port ?? 0, roundTrip)
proxy.setRate(rate)
process.stdout.write(`${proxy.port}\n`)
// Ends together with the process that started it.
process.stdin.resume().on('end', () => process.exit())
