/** `dir:///absolute/folder` and the paths it stands for. */
import { isAbsolute } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

export function dirUrl(path: string): string {
  return pathToFileURL(path).href.replace(/^file:/, 'dir:')
}

export function dirPath(url: string): string {
  return fileURLToPath(url.replace(/^dir:/, 'file:'))
}

/** What is wrong with the URL, for people; `undefined`: nothing. */
export function dirFault(url: URL): string | undefined {
  if (url.host !== '') return `names the host "${url.host}": a folder takes three slashes`
  if (!isAbsolute(url.pathname)) return 'is not absolute'
  if (/%2f|%00/i.test(url.pathname)) return 'has an encoded slash or zero byte'
  if (/^\/*$/.test(url.pathname)) return 'is the root folder'
  return undefined
}
