/** For scripts of a page: its language, and the sentences that the page contains for them (sentences.tsx). */
import type { Sentences } from './sentences'

/** The tag for `Intl`, with digits 0 to 9. English is British, as in the rest of the site's dates. */
export function formatsTag(): string {
  const { lang } = document.documentElement
  return `${lang === 'en' ? 'en-GB' : lang}-u-nu-latn`
}

/**
 * A sentence in the language of the page: `say<typeof pageSentences>('copied')`. It may have placeholders, but no
 * plural: the code for plurals would be a quarter of the script that every page loads.
 */
export function say<Module extends Sentences>(
  name: keyof Module & string,
  values: Record<string, string> = {},
): string {
  const parts = [...document.querySelectorAll<HTMLElement>('[data-sentences]')]
  const sentences: Record<string, string> = Object.assign(
    {},
    ...parts.map(({ dataset }) => JSON.parse(dataset.sentences as string)),
  )
  return (sentences[name] ?? '').replace(/\{(\w+)\}/g, (_, value) => values[value] ?? '')
}
