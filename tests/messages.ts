/**
 * Checks the catalogs in app/platform/locales. They must have the messages that the code contains (`npm run messages`
 * writes them). Each translation must have the placeholders, the markup and the plural forms that it needs.
 * The catalog of each published language must be complete. Components must have no text or link outside the
 * catalogs (raw-texts.ts). `npm run check` runs this file.
 */
import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { formatter } from '@lingui/format-po'
import { type CompiledMessage, compileMessageOrThrow } from '@lingui/message-utils/compileMessage'
import { allLocales, publishedLocales } from '../app/platform/locales/locales.ts'
import { findAllRawTexts } from './raw-texts.ts'

interface Shape {
  placeholders: Set<string>
  tags: string[]
  /** The forms of each plural, keyed by the name of the placeholder. */
  plurals: Map<string, string[]>
}

function shapeOf(message: string): Shape {
  const shape: Shape = { placeholders: new Set(), tags: [], plurals: new Map() }
  const visit = (parts: CompiledMessage) => {
    for (const part of parts) {
      if (typeof part === 'string') {
        shape.tags.push(...(part.match(/<\/?\w+\/?>/g) ?? []))
        continue
      }
      const [name, type, choices] = part
      shape.placeholders.add(type ? `${name} (${type})` : name)
      if (!type) continue
      const forms = Object.entries(choices as Record<string, CompiledMessage>).filter(
        ([form]) => form !== 'offset',
      )
      if (type === 'plural')
        shape.plurals.set(
          name,
          forms.map(([form]) => form),
        )
      for (const [, form] of forms) visit(typeof form === 'string' ? [form] : form)
    }
  }
  visit(compileMessageOrThrow(message))
  return shape
}

/** Returns the fault of a translation, or null. */
function faultOf(message: string, translation: string, tag: string): string | null {
  let translated: Shape
  try {
    translated = shapeOf(translation)
  } catch (error) {
    return `cannot be parsed: ${(error as Error).message}`
  }
  const original = shapeOf(message)
  const missing = [...original.placeholders].filter((name) => !translated.placeholders.has(name))
  const unknown = [...translated.placeholders].filter((name) => !original.placeholders.has(name))
  if (missing.length > 0) return `lacks the placeholder ${missing.join(', ')}`
  if (unknown.length > 0) return `has the unknown placeholder ${unknown.join(', ')}`
  // A plural repeats its markup in each form, so the sets are compared.
  const tags = (shape: Shape) => [...new Set(shape.tags)].sort().join(' ')
  if (tags(original) !== tags(translated))
    return `has the markup ${tags(translated)} and not ${tags(original)}`
  const needed = new Intl.PluralRules(tag).resolvedOptions().pluralCategories
  for (const [name, forms] of translated.plurals) {
    const lacking = needed.filter((form) => !forms.includes(form))
    if (lacking.length > 0) return `lacks the plural form ${lacking.join(', ')} of ${name}`
    const surplus = forms.filter((form) => /^[a-z]/.test(form) && !(needed as string[]).includes(form))
    if (surplus.length > 0) return `has the plural form ${surplus.join(', ')}, which ${tag} does not have`
  }
  return translation.trim() ? null : 'is empty'
}

function findFaults(): string[] {
  return globSync('app/platform/locales/*/messages.po').flatMap((path) => {
    const code = basename(dirname(path))
    const locale = allLocales.get(code)
    if (!locale) return [`${path}: app/platform/locales/locales.ts has no language ${code}`]
    const messages = formatter().parse(readFileSync(path, 'utf8'), {
      locale: code,
      sourceLocale: 'en',
      filename: path,
    })
    return Object.entries(messages as Record<string, { message?: string; translation?: string }>).flatMap(
      // The ID of a marked text is its English sentence (app/platform/locales/key.ts).
      ([id, { message = id, translation = '' }]) => {
        if (translation === '')
          return publishedLocales.includes(code) ? [`${path}: '${message}' has no translation`] : []
        const fault = faultOf(message, translation, locale.tag)
        return fault ? [`${path}: the translation of '${message}' ${fault}`] : []
      },
    )
  })
}

/** An error message if the catalogs' messages are not exactly the code's; otherwise none. */
function findStale(): string[] {
  const before = contents()
  execFileSync('lingui', ['extract', '--clean'], { stdio: 'ignore' })
  const stale = [...contents()].filter(([path, text]) => before.get(path) !== text).map(([path]) => path)
  return stale.length > 0 ? [`npm run messages has changed ${stale.join(', ')}: commit them`] : []
}

function contents(): Map<string, string> {
  return new Map(
    globSync('app/platform/locales/*/messages.po').map((path) => [path, readFileSync(path, 'utf8')]),
  )
}

const faults = [...findStale(), ...findFaults(), ...findAllRawTexts()]
for (const fault of faults) console.error(fault)
process.exit(faults.length > 0 ? 1 : 0)
