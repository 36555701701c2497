/** What `npm run bench` measures: one row for each line of RESULTS.md. A part of the bench measures each group of rows. */

import { patience } from './load.ts'

export interface Measurement {
  /** What is timed, counted or weighed. */
  what: string
  unit: '' | 'ms' | 'rows/s' | '%' | 'B' | 'kB' | 'KiB' | 'MiB'
  /** The bounds of the median. Without a bound the figure is only printed. */
  atMost?: number
  atLeast?: number
  /** Why the aim is not stricter, in one line. */
  because?: string
}

/**
 * A ratio: the times or rates of the site divided by the times or rates of a simpler program, measured in
 * turn on the same machine.
 */
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

const byProcessorTime = {
  because:
    'it was 0.95 (a miss: 1.1): processor time differs by a fifth between two runs of one page; counted instructions differ by at most 6 % (records.md)',
}

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
  throughput: {
    home: ratio('Home signed out, warm: requests/s over the bare worker', { atLeast: 0.9 }),
    tail: ratio('the same: p99 over the bare worker, 32 connections', { atMost: 1.2 }),
    member: ratio('Home signed in, warm, one member: requests/s over the bare worker', { atLeast: 0.8 }),
    members: ratio('Home signed in, warm, 5,000 members in turn: requests/s over the bare worker', {
      atLeast: 0.6,
    }),
    toast: ratio('Home with a toast, warm: requests/s over the bare worker', { atLeast: 0.6 }),
    filter: ratio('/transparency with a filter, signed in, warm: requests/s over the bare worker', {
      atLeast: 0.55,
    }),
    miss: ratio('a miss of /voting, the backend responds immediately: requests/s over the bare worker'),
  },
  languages: {
    '/': ratio('Home signed out, warm: processor time in English over the slowest other language', {
      atLeast: 0.75,
      ...byProcessorTime,
    }),
    '/ member': ratio('Home signed in, warm: processor time in English over the slowest other language', {
      atLeast: 0.75,
      ...byProcessorTime,
    }),
    '/transparency': ratio(
      '/transparency signed out, warm: processor time in English over the slowest other',
      {
        atLeast: 0.75,
        ...byProcessorTime,
      },
    ),
    '/transparency member': ratio(
      '/transparency signed in, warm: processor time in English over the slowest other',
      {
        atLeast: 0.75,
        ...byProcessorTime,
      },
    ),
    miss: ratio('a miss of /voting: processor time in the slowest other language over English', {
      atMost: 1.25,
      ...byProcessorTime,
    }),
    start: {
      what: 'worker start-up: first response in Turkish (/tr) after that in English (/)',
      unit: 'ms',
    },
  },
  travel: {
    ES256: ratio('dashboard, token verified locally: time over one round trip', { atMost: 1.2 }),
    HS256: ratio('dashboard, token verified by the service: time over one round trip', { atMost: 1.2 }),
    post: ratio('sign-in post: time over one round trip', { atMost: 1.25 }),
    next: ratio('the page that follows: time over one round trip', { atMost: 1.25 }),
    '/': ratio('/ signed out, cache cold: time over one round trip', { atMost: 1.2 }),
    '/voting': ratio('/voting signed out, cache cold: time over one round trip', { atMost: 1.25 }),
    '/cz-call': ratio('/cz-call signed out, cache cold: time over one round trip', { atMost: 1.25 }),
    '/transparency': ratio('/transparency signed out, cache cold: time over one round trip', {
      atMost: 1.2,
    }),
    down: {
      what: 'public pages with the backend down: served, those of the cache with their former figures',
      unit: '%',
      atLeast: 100,
    },
  },
  browser: {
    paint: ratio('Home, first visit on a slow phone: LCP over the single-page peer’s', { atMost: 0.5 }),
    bytes: { what: 'Home, first visit: bytes on the wire, all requests, gzip', unit: 'kB', atMost: 55 },
    languages: { what: 'the same in the largest other language', unit: 'kB', atMost: 55 },
    click: { what: 'next page from a public page, warm: click to first paint', unit: 'ms' },
  },
  script: {
    '/': { what: 'Home: script of the first load, gzip', unit: 'kB', atMost: 4.5 },
    '/donate': {
      what: '/donate, last step, before a wallet is used: script of the first load, gzip',
      unit: 'kB',
      atMost: 4.5,
    },
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
  held: {
    errors: {
      what: '1,000 connections held, mixed pages: error statuses and broken connections',
      unit: '%',
      atMost: 0,
    },
    waits: { what: `the same: requests without a response for ${patience} seconds`, unit: '%' },
    memory: ratio('the same: memory of workerd, last third over the middle one', { atMost: 1.05 }),
  },
  hostile: {
    forms: ratio('/about while a form that is made to be slow arrives each second: time over the usual one', {
      atMost: 1.5,
    }),
    feeds: ratio('/about while a feed that is made to be slow is read each second: time over the usual one', {
      atMost: 1.5,
    }),
  },
  live: {
    others: ratio('public pages from the cache, requests/s with 2,000 sockets held ÷ without', {
      atLeast: 0.9,
    }),
    memory: { what: '5,000 sockets held: memory of workerd for each', unit: 'KiB' },
    notify: { what: 'the same: time until all are notified', unit: 'ms' },
    heartbeat: { what: 'the same: processor time of a heartbeat of each, in all', unit: 'ms' },
  },
  witnesses: {
    appends: ratio('Appends while two witnesses are asked: rows/s over those without witnesses', {
      atLeast: 0.95,
    }),
    minute: ratio('The scheduled work of a minute: runs per minute with two witnesses over without', {
      atLeast: 0.95,
    }),
  },
  mails: {
    rate: ratio(
      'public pages from the cache, requests/s while mails to 20,000 followers are sent ÷ without',
      {
        atLeast: 0.9,
      },
    ),
  },
  scan: {
    rate: ratio('The scan of the chain: blocks/s over those before it could split a block', { atLeast: 0.9 }),
  },
  payments: {
    'home-cached': ratio('Home from the cache: requests/s with 100 due orders over without', {
      atLeast: 0.95,
    }),
    'home-rendered': ratio('Home, rendered: the same'),
    'transparency-cached': ratio(
      '/transparency from the cache: requests/s with 100 due orders over without',
      {
        atLeast: 0.95,
      },
    ),
    'transparency-rendered': ratio('/transparency, rendered: the same'),
    'run-calls': {
      what: 'A scheduled run with 100 due orders that the token refuses: calls of the chain',
      unit: '',
    },
    'run-time': { what: 'The same run, without the time of endpoints', unit: 'ms' },
  },
  votes: {
    goal: ratio('A goal’s page, 50,000 ballots over 100', { atMost: 1.5 }),
    votes: ratio('Its ballots, 50,000 over 100', { atMost: 1.5 }),
    deep: ratio('A page in the middle of its ballots, 50,000 over 100', { atMost: 1.5 }),
    run: { what: 'Count 200 ballots: the transaction', unit: 'ms' },
    appends: ratio('Appends of the ledger, with a count of 200 ballots in ten seconds over without', {
      atLeast: 0.9,
    }),
    trips: { what: 'Hand a ballot in: round trips to the backend', unit: '', atMost: 2 },
    script: { what: 'Script of the page of a ballot, gzip', unit: 'kB', atMost: 6 },
    recount: { what: 'Recount by the command line, in seconds', unit: '' },
    module: { what: 'Script of the count in the browser, gzip', unit: 'kB', atMost: 16 },
    browser: { what: 'Count 1,000 ballots in the browser, in seconds', unit: '' },
  },
  goals: {
    page: ratio('A goal’s page, 10,000 gifts over 10', { atMost: 1.5 }),
    list: ratio('/giveback, 1,000 goals over 10', { atMost: 1.5 }),
    home: ratio('Home, 1,000 goals over none', { atMost: 1.5 }),
    transparency: ratio('/transparency, 1,000 goals over none', { atMost: 1.5 }),
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
