/** Pictures that a text in Markdown names by files beside it. */
import { inline } from '../lib/text.ts'

/** Types that forges show in a comment. */
const PICTURE = /\.(?:png|jpe?g|gif|svg|webp)$/i
const NAMED = /!\[([^\]\n]*)\]\(<?([^\s()<>]+)>?(?:\s+"[^"\n]*")?\)/g

/** The text with what `put` makes of each picture: a place that a comment can show it from; `undefined`: it is named in words instead. */
export async function withPictures(text: string, put: (file: string) => Promise<string | undefined>): Promise<string> {
  const places = new Map<string, string | undefined>()
  for (const [, , file = ''] of text.matchAll(NAMED)) if (isFile(file) && !places.has(file)) places.set(file, await put(file))
  return text.replace(NAMED, (whole: string, words: string, file: string) => {
    if (!places.has(file)) return whole
    const place = places.get(file)
    return place === undefined ? `*(picture: ${inline(words || file)})*` : `![${words}](${place})`
  })
}

/** Neither an address nor a path from the root. */
function isFile(target: string): boolean {
  return PICTURE.test(target) && !/^(?:[a-z][a-z\d+.-]*:|\/|#)/i.test(target)
}
