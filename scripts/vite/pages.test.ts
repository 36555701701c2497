import { expect, test } from 'vitest'
import { filterParameters } from '../../app/ledger/filter.ts'
import { declaredPages } from './pages.ts'

const pageOf = (pattern: string) => declaredPages().find((page) => page.pattern === pattern)

test('the list of pages has every route with what its handle declares', () => {
  expect(pageOf('/')).toMatchObject({ cached: [], gives: true })
  expect(pageOf('/auth')).toEqual({ pattern: '/auth', hydrated: { title: true, isIndexed: true } })
  expect(pageOf('/healthz')).toEqual({ pattern: '/healthz' })
  expect(pageOf('/*')).toBeDefined()
})

test('the cached page of the history reads every parameter of the filter', () => {
  expect(pageOf('/transparency')?.cached).toEqual(expect.arrayContaining([...filterParameters]))
})
