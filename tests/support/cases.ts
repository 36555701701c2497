import * as fc from 'fast-check'

/** The seed of the properties: the same in every `npm test`; `npm run test:deep` draws and prints one. */
const seed = Number(process.env.SEED ?? 20261121)
const deep = process.env.DEEP === '1'

/** The number of inputs of a property: `few` in `npm test`, `many` in `npm run test:deep`. */
export function count(few: number, many: number): number {
  return deep ? many : few
}

/**
 * Checks a property with `numRuns` generated inputs and with `examples`, which are inputs that failed in the
 * past. Prints `numRuns` and the seed. Each `lane` has different inputs.
 */
export async function holds<T>(
  name: string,
  numRuns: number,
  property: fc.IProperty<T> | fc.IAsyncProperty<T>,
  examples: T[] = [],
  lane = 0,
): Promise<void> {
  await fc.assert(property as fc.IAsyncProperty<T>, { seed: seed + lane, numRuns, examples })
  tell(name, numRuns)
}

function tell(name: string, inputs: number): void {
  console.log(`${name}: ${inputs} generated inputs, seed ${seed}`)
}

/** Each piece of markup in the inputs contains this marker. A response must escape or omit such markup. */
export const marker = 'q9z'

const pieces = [
  '\0',
  '\u0001',
  '\u001b[31m',
  '\u007f',
  '\u0085',
  '\u202e',
  '\u2066',
  '\u200b',
  '\u2028',
  '\ufeff',
  '\ufffe',
  '👩‍👧',
  '𝔘',
  'Z͑ͫ̓',
  'ß',
  '\t',
  '\r\n',
  '\n',
  `<${marker}>`,
  `</title><${marker}>`,
  `</script><${marker}>`,
  `<!--<${marker}`,
  `"${marker}="`,
  `'${marker}='`,
  `javascript:${marker}()`,
  `data:text/html,<${marker}>`,
  '&lt;',
  '&#0;',
  '%00',
  '%0d%0a',
  '%ff',
  '\\u003c',
  '\\',
  '/',
  '//',
  '/../',
  ';',
  ',',
  '..',
  '{{1}}',
  "' or 1=1--",
  '","level":"error","event":"forged',
  '__proto__',
  'constructor',
  '[object Object]',
  'null',
  '-0',
  '1e999',
  '0x',
  ' ',
  'a',
  '@example.com',
]

/** Text as a person, a program or an attacker enters it. */
export const typed: fc.Arbitrary<string> = fc.oneof(
  { weight: 5, arbitrary: fc.array(fc.constantFrom(...pieces), { maxLength: 7 }).map((all) => all.join('')) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 2, arbitrary: fc.string({ maxLength: 40 }) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom(...pieces), fc.integer({ min: 50, max: 3_000 }))
      .map(([piece, times]) => piece.repeat(times)),
  },
)

/** `typed`, or random UTF-16 units, also lone surrogates, which JSON in a cookie can contain. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  typed,
  fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 30 })
    .map((units) => String.fromCharCode(...units)),
)
