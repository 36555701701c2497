/** Type oids, under the names that lite gives them in its options for postgres.js. */
export const typeOids = {
  bigint: 20,
  json: 114,
  timestamp: 1114,
  timestamptz: 1184,
  numeric: 1700,
  jsonb: 3802,
}

/** Parsers that convert values to the forms of a hosted project's JSON: numbers and ISO 8601. */
export const typeParsers: Record<keyof typeof typeOids, (value: string) => unknown> = {
  bigint: Number,
  json: (value) => JSON.parse(value),
  timestamp: (value) => value.replace(' ', 'T'),
  timestamptz: (value) => value.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00'),
  numeric: Number,
  jsonb: (value) => JSON.parse(value),
}

export const typeNames = Object.keys(typeOids) as (keyof typeof typeOids)[]
