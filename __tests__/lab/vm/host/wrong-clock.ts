/**
 * A wrong clock. The clock of a container cannot be set, so a library (https://github.com/wolfcw/libfaketime) tells tpi's programs on the
 * machine another time of day; time passes at the same speed. Time stamps of files are the host's.
 */
import { AGENT_UNIT } from '../../../../src/wire/machine.ts'

const LIBRARY = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1'

/** Files of an image whose machines have a clock that is this many seconds ahead: text by path. */
export function clockAhead(seconds: number): Readonly<Record<string, string>> {
  const offset = `${seconds < 0 ? '' : '+'}${seconds}`
  const text = `[Service]\nEnvironment=LD_PRELOAD=${LIBRARY} FAKETIME=${offset} FAKETIME_DONT_FAKE_MONOTONIC=1 DONT_FAKE_MONOTONIC=1 NO_FAKE_STAT=1`
  return { [`etc/systemd/system/${AGENT_UNIT}.d/clock.conf`]: text }
}
