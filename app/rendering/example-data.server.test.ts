import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { afterEach, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { loader } from '../routes/home/loader.server'
import {
  integerColumn,
  linkColumn,
  moneyColumn,
  objectsColumn,
  timestampColumn,
} from '../server/columns.server'
import { ExampleData, exampleOf } from './example-data.server'

afterEach(() => {
  vi.unstubAllGlobals()
})

const schemas = {
  text: z.string(),
  'a pattern': z.string().check(z.regex(/^0x[0-9a-f]{40}$/)),
  'a time': timestampColumn,
  money: moneyColumn,
  'an integer': integerColumn,
  'a link': linkColumn,
  'one of some texts': z.enum(['in', 'out']),
  'a literal': z.literal('open'),
  'a column that may be null': z.nullable(moneyColumn),
  'objects in a column': objectsColumn(z.object({ txHash: z.string() })),
  'rows of rows': z.array(
    z.object({ id: z.coerce.string(), parts: z.array(z.object({ share: integerColumn })) }),
  ),
}

test.each(Object.entries(schemas))('the example of a schema is accepted by it: %s', (_, schema) => {
  const example = exampleOf(schema)
  expect(schema.safeParse(example).success).toBe(true)
  expect(example).not.toBeUndefined()
})

test('a schema that no example fits has none', () => {
  expect(exampleOf(z.string().check(z.regex(/^[aeiou]{30}$/)))).toBeUndefined()
  expect(exampleOf(z.array(z.never()))).toEqual([])
})

test('Home finds every figure that it reads, and sends no request', async () => {
  const fetch = vi.fn()
  vi.stubGlobal('fetch', fetch)
  const data = new ExampleData()
  const context = { publicData: () => data, config: { VOTING_OPEN: true }, language: { i18n: { _: String } } }
  const { totals, pools, payments, next, split } = await loader({ context } as unknown as LoaderFunctionArgs)
  expect(totals?.treasuryUsd).toBeGreaterThan(0)
  expect(pools[0]?.totals?.leftUsd).toBeGreaterThan(0)
  expect(payments?.[0]?.amountUsd).toBeGreaterThan(0)
  expect(next).toBeDefined()
  expect(split).not.toBeNull()
  expect(fetch).not.toHaveBeenCalled()
})
