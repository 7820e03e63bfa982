// Runs in the network namespace that is a machine's gateway: passes connections to an address there on to a socket of the test outside.
import { connect, createServer } from 'node:net'

/** [address, port, path of a socket] */
const ways = JSON.parse(process.argv[2])
await Promise.all(
  ways.map(
    ([address, port, path]) =>
      new Promise((listening) => {
        const server = createServer({ allowHalfOpen: true }, (inside) => {
          const outside = connect({ path, allowHalfOpen: true })
          inside.pipe(outside).pipe(inside)
          const end = () => {
            inside.destroy()
            outside.destroy()
          }
          inside.on('error', end)
          outside.on('error', end)
        })
        server.listen(port, address, listening)
      }),
  ),
)
process.stdout.write('ready\n')
