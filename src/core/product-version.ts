/** The version of this program; a test holds it against package.json. */
export const VERSION = '0.1.0'
/** For people. */
export const PROGRAM = `tpi ${VERSION} (Node.js ${process.versions.node})`
