/** Names that a file system may take for `.git`: what lies below it decides what a repository's owner runs next. */

/** The path is a repository's own folder (or the file in its place), or lies in one. Written with slashes, or with the backslashes of another system. */
export function isBelowGit(path: string): boolean {
  // Of a hundred thousand paths hardly any has a dot or a tilde where it matters.
  return /git/i.test(path) || !isAscii(path) ? path.split(/[/\\]/).some(isGitName) : false
}

/** As file systems see it that fold letters, drop what nobody sees, cut off dots, blanks and streams at the end, or give short names. */
export function isGitName(name: string): boolean {
  const seen = name
    .normalize('NFKD')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toLowerCase()
    .replace(/:.*$/s, '')
    .replace(/[. ]+$/, '')
  return seen === '.git' || seen === 'git~1'
}

function isAscii(text: string): boolean {
  return !/[^\0-\x7f]/.test(text)
}
