import { expect, test } from 'vitest'
import { findAllRawTexts, findRawTexts } from './raw-texts.ts'

const value = '$' + '{a}'

test.each([
  ['<p>Join us</p>', "'Join us' is not in <Trans>"],
  ["<p>{isOpen ? 'Open' : t`Closed`}</p>", "'Open' is not in <Trans>"],
  [`<p>{\`${value} of ${value}\`}</p>`, "'of' is not in <Trans>"],
  ['<img alt="Two blocks" />', "'Two blocks' of alt is not translated"],
  ['<nav aria-label={isMain && "Main"} />', "'Main' of aria-label is not translated"],
  [`<input placeholder={\`${value} dollars\`} />`, "'dollars' of placeholder is not translated"],
  ['<Section title="Witnesses" />', "'Witnesses' of title is not translated"],
  ['<a href="/about">{name}</a>', "'/about' needs <PageLink> or href()"],
  [`<a href={\`/voting/${value}#x\`}>{name}</a>`, "'/voting/x#x' needs <PageLink> or href()"],
  [
    "<p><Trans>It is open.</Trans>{' '}<Trans>Join us.</Trans></p>",
    "'{' '}' after a sentence must be <Gap />",
  ],
  ['<form action="/donate/find" />', "'/donate/find' needs <PageLink> or href()"],
  ['<a href="/auth">{name}</a>', "'/auth' needs <PageLink> or href()"],
])('in %s the check reports: %s', (jsx, fault) => {
  expect(findRawTexts('app/ui/a.tsx', `const A = () => (\n${jsx})`)).toEqual([`app/ui/a.tsx:2: ${fault}`])
})

test.each([
  '<p><Trans>Join <b>us</b></Trans> {t`now`} Goodblock {count}%</p>',
  '<p>{kind === "open" && <Trans>Open</Trans>} <code>npm start</code> <EnglishWords>Open</EnglishWords></p>',
  '<a href="/transparency.csv" className="link">{name}</a>',
  '<PageLink to="/about" aria-label={t`About`} />',
])('%s has no raw text', (jsx) => {
  expect(findRawTexts('app/ui/a.tsx', `const A = () => (\n${jsx})`)).toEqual([])
})

test('a link between pages for members has no language prefix', () => {
  expect(findRawTexts('app/routes/dashboard/a.tsx', '<a href="/auth/code">{name}</a>')).toEqual([])
})

test('no component has raw text or a raw link', () => {
  expect(findAllRawTexts()).toEqual([])
})
