/** What `npm run bench` measures: one row for each line of RESULTS.md. A part of the bench measures each group of rows. */

export interface Measurement {
  /** What is timed, counted or weighed. */
  what: string
  unit: '' | 'ms' | 'B' | 'kB' | 'KiB' | 'MiB'
  /** The bounds of the median. Without a bound the figure is only printed. */
  atMost?: number
  atLeast?: number
  /** Why the aim is not stricter, in one line. */
  because?: string
}

/** The site's times or rates divided by a simpler program's, in turn on the same machine. */
const ratio = (what: string, aim: Pick<Measurement, 'atMost' | 'atLeast' | 'because'> = {}): Measurement => ({
  what,
  unit: '',
  ...aim,
})

/** The first response of a new isolate, after that of a worker that only returns a text. */
const firstOf = (page: string, atMost: number, because?: string): Measurement => ({
  what: `first response of a new isolate: ${page}, after the bare worker’s`,
  unit: 'ms',
  atMost,
  ...(because && { because }),
})

const rendered =
  'it was 45: of 260 to 360 million instructions, loading Remix, React, zod and the data client takes 75, and most others are the first run of the page’s code, which over a real backend happens while the page waits'

const ofForms = 'it was 104: one control for all forms, and ten wallets'

/** Paths whose time depends on the size of the ledger. The bench replaces each `{…}` (ledger.ts). */
const ledgerPaths: [path: string, what: string, atMost?: number][] = [
  ['/transparency', 'first page of the history', 1.5],
  ['/transparency?before={middle}', 'deep page: from the middle on', 1.5],
  // For each filter the most frequent value, and a status that no row has.
  ...[
    'status=verified',
    'status=mismatch',
    'direction=out',
    'type=donation',
    'pool=education',
    'wallet=treasury',
    'from=2015-01-01',
    'to=2026-11-02',
    'type=donation&status=verified&from=2015-01-01&to=2026-11-02',
  ].map((query): [string, string, number] => [`/transparency?${query}`, `filter ${query}`, 1.5]),
  [`/transparency?q=0x${'1'.repeat(40)}`, 'search for an address with all rows, counted up to 10,000'],
  ['/transparency?pool=education&before={middle}', 'filter pool=education, from the middle on', 1.5],
  ['/', 'totals: Home', 1.5],
  ['/voting', 'totals of the pools, and their donations', 1.5],
  ['/transparency.csv?limit=1000', 'a part of the CSV, 1,000 rows', 1.5],
  ['/transparency/log/checkpoint', 'checkpoint', 1.5],
  ['/transparency/log/{tile}', 'tile of 256 leaves', 1.5],
  ['/transparency/log/{entries}', 'bundle of 256 entries', 1.5],
  ['/transparency/{row}/proof', 'proof of a row', 2],
  ['/transparency/entries/{row}/proof', 'proof of an entry', 2],
  ['/transparency/{row}', 'page of a row', 2],
  ['/transparency/acts', 'first page of the acts, which are a tenth of the rows', 1.5],
  ['/operator', 'queues and health for an operator', 1.5],
]

export const measurements = {
  script: {
    '/auth': { what: '/auth: script of the first load, gzip', unit: 'kB', atMost: 107, because: ofForms },
    '/dashboard': {
      what: '/dashboard: script of the first load, gzip',
      unit: 'kB',
      atMost: 107,
      because: ofForms,
    },
  },
  paints: {
    worst: ratio('Lighthouse mobile, the worst public page: largest over first contentful paint', {
      atMost: 1.1,
    }),
    photograph: ratio('the same of a pool’s page with a photograph of 250 kB, which pages show smaller', {
      atMost: 1.1,
    }),
  },
  sizes: {
    home: { what: 'worker bundle, what Home needs, gzip', unit: 'KiB', atMost: 140 },
    whole: { what: 'worker bundle, all modules, gzip', unit: 'KiB' },
  },
  start: {
    modules: {
      what: 'the same: a worker that only returns a text, with all modules of this one, after the bare worker’s',
      unit: 'ms',
    },
    'stored /robots.txt': firstOf('/robots.txt, stored in the Cache API', 15),
    'stored /': firstOf('Home, stored in the Cache API', 15),
    'stored /, a member': firstOf('Home, stored in the Cache API, for a member', 15),
    'stored /transparency': firstOf('/transparency, stored in the Cache API', 15),
    'stored /transparency, a member': firstOf('/transparency, stored in the Cache API, for a member', 15),
    'stored /ar': firstOf('Home in Arabic, stored in the Cache API', 15),
    'stored /ar, a member': firstOf('Home in Arabic, stored in the Cache API, for a member', 15),
    'stored /ar/transparency': firstOf('/transparency in Arabic, stored in the Cache API', 15),
    'stored /ar/transparency, a member': firstOf('/transparency in Arabic, stored, for a member', 15),
    'stale /': firstOf('Home, stored in the Cache API 45 seconds ago', 15),
    '/robots.txt': firstOf('/robots.txt', 45),
    '/': firstOf('Home, which it renders', 62, rendered),
    '/transparency': firstOf('/transparency, which it renders', 60, rendered),
    '/auth': firstOf('/auth', 55, rendered),
    'sign-in': firstOf('a sign-in, posted to /auth', 58),
  },
  votes: { pages: ratio('The pages of a goal’s vote, 50,000 ballots over 100', { atMost: 1.5 }) },
  payments: {
    pages: ratio('Home and /transparency, 100 due orders over none', { atMost: 1.5 }),
    dust: {
      what: 'Runs by which 9,600 transfers of dust in a minute delay a payment',
      unit: '',
      atMost: 1,
    },
  },
  ledger: {
    ...Object.fromEntries(
      ledgerPaths.map(([path, what, atMost]) => [
        path,
        ratio(`A million rows over a thousand, ${what}`, { atMost }),
      ]),
    ),
    proof: { what: 'Proof of one of a million rows, uncompressed', unit: 'B', atMost: 64_000 },
    check: {
      what: 'The check of that proof by the code of the page (Web Crypto, in Node)',
      unit: 'ms',
      atMost: 50,
    },
    csv: {
      what: 'CSV of a million rows: growth of the worker, its heap bound to 48 MiB, while it streams',
      unit: 'MiB',
      atMost: 64,
    },
  } as Record<string, Measurement>,
} satisfies Record<string, Record<string, Measurement>>

export type Part = keyof typeof measurements
