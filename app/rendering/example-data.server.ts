import type * as z from 'zod/mini'
import { impactPools } from '../impact-pools'
import { type Answer, createApi, Data } from '../server/data.server'

/**
 * Data of a backend that is not called: each relation has one row, which its schema accepts. Only for code that runs
 * before the answers arrive (rendering/warm-up.server.ts): no one may see these rows.
 */
export class ExampleData extends Data {
  constructor() {
    super(
      createApi('https://backend.example', '', () => Promise.reject(new Error('no backend'))),
      { requestId: '', failed: false, info() {}, warn() {}, error() {} },
    )
  }

  protected override async answer(_sent: Answer, schema: z.ZodMiniType) {
    return { data: exampleOf(schema), error: null }
  }

  override optional(): Data {
    return this
  }
}

/** Texts and numbers of columns. The slug of a pool is first, so that a page finds that pool's figures. */
const leaves = [
  impactPools[0]?.slug,
  1,
  '1',
  true,
  '2026-01-01T00:00:00Z',
  'https://example.org',
  `0x${'1'.repeat(40)}`,
  `0x${'1'.repeat(64)}`,
  '1'.repeat(64),
  {},
  null,
]

/** A value that a schema accepts; undefined if none is found. */
export function exampleOf(schema: z.core.$ZodType): unknown {
  return candidatesOf(schema as z.core.$ZodTypes).find(
    (value) => (schema as z.ZodMiniType).safeParse(value).success,
  )
}

function candidatesOf({ _zod: { def } }: z.core.$ZodTypes): unknown[] {
  switch (def.type) {
    case 'object':
      return [Object.fromEntries(Object.entries(def.shape).map(([key, field]) => [key, exampleOf(field)]))]
    case 'array':
      return [[exampleOf(def.element)], []]
    case 'pipe':
      return candidatesOf(def.in as z.core.$ZodTypes)
    case 'nullable':
    case 'catch':
      return [exampleOf(def.innerType), null]
    case 'union':
      return def.options.flatMap((option) => candidatesOf(option as z.core.$ZodTypes))
    case 'enum':
      return Object.values(def.entries)
    case 'literal':
      return def.values
    default:
      return leaves
  }
}
