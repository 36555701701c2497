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
export function say<Module extends Sentences>(name: keyof Module & string, values?: Values): string {
  return fill(find(name) as string, values)
}

/** A sentence with a plural, for a script of a single page. `count` is the number of the plural. */
export function sayCount<Module extends Sentences>(
  name: keyof Module & string,
  count: number,
  values?: Values,
): string {
  const forms = find(name) as Record<string, string>
  const form = new Intl.PluralRules(document.documentElement.lang).select(count)
  return fill(forms[count] ?? forms[form] ?? forms.other ?? '', { '#': formatCount(count), ...values })
}

/** '1,234'. */
export function formatCount(count: number): string {
  return new Intl.NumberFormat(formatsTag(), { useGrouping: 'always' } as object).format(count)
}

type Values = Record<string, string>

/** A sentence that is its own name, as those of faults, is not in an English page. */
function find(name: string): string | Record<string, string> {
  const parts = [...document.querySelectorAll<HTMLElement>('[data-sentences]')]
  const sentences: Record<string, string | Record<string, string>> = Object.assign(
    {},
    ...parts.map(({ dataset }) => JSON.parse(dataset.sentences as string)),
  )
  return sentences[name] ?? name
}

function fill(sentence: string, values: Values = {}): string {
  return sentence.replace(/\{(\w+|#)\}/g, (_, name) => values[name] ?? '')
}
