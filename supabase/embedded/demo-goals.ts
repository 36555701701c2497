import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { toPictureLink } from '../../app/ledger/update-picture.ts'
import {
  chainId,
  daysBefore,
  fakeAddress,
  hashOf,
  hour,
  insertRows,
  lastBlock,
  type Row,
  type Sql,
  saltOf,
} from './demo-rows.ts'

/** The members who ask for money, except the demonstration's own member. */
export const demoGoalMembers = ['Ines', 'Jonas', 'Amara', 'Leo', 'Noa', 'Sam', 'Kim', 'Rui', 'Eva'].map(
  (name, at) => ({
    id: `0000dead-0000-4000-8000-0000000003${String(at + 1).padStart(2, '0')}`,
    email: `${name.toLowerCase()}@goodblock.example`,
    username: `Demo ${name}`,
  }),
)
const complainers = demoGoalMembers.slice(7)

interface Words {
  title: string
  byline: string
  category: string
  story: string
  links?: string
  days: number
  plan: [dollars: number, what: string][]
}

interface Step {
  days: number
  stage: string
  by: 'member' | 'operator' | 'schedule'
  frozen?: boolean
  /** An operator's reason, public except of a return or rejection, or why a member ends the goal. */
  reason?: string
  /** The submitted words, if they differ from the final words. */
  words?: Partial<Words>
}

interface DemoGoal {
  /** Null for a goal that was never submitted. */
  slug: string | null
  member: string
  words: Words
  /** The name of a file in demo-pictures/ without its extension, and the description of the picture. */
  picture?: [file: string, text: string]
  steps: Step[]
  gifts?: [days: number, dollars: number, from?: 'treasury'][]
  /** The updates; a picture and the names of the linked receipts may follow the text. */
  updates?: [days: number, text: string, scene?: [name: string, alt: string], receipts?: string[]][]
  /** The number of the update that is the final report. */
  report?: number
  complaints?: [days: number, reason: string, text: string][]
}

const own = '0000dead-0000-4000-8000-000000000001'
const memberOf = (name: string) =>
  demoGoalMembers.find(({ username }) => username === `Demo ${name}`)?.id ?? ''
const submitted = (days: number, words?: Partial<Words>): Step => ({
  days,
  stage: 'submitted',
  by: 'member',
  ...(words && { words }),
})
const operator = (days: number, stage: string, more: Partial<Step> = {}): Step => ({
  days,
  stage,
  by: 'operator',
  ...more,
})
const ended = (days: number): Step => ({ days, stage: 'ended', by: 'schedule' })

/** Goals in every stage. The first three belong to the member of the demonstration. */
const demoGoals: DemoGoal[] = [
  {
    slug: null,
    member: own,
    words: {
      title: 'A ramp for the library',
      byline: 'Friends of the Riverside library',
      category: 'Access',
      story: '',
      days: 14,
      plan: [[380, 'Wood and screws']],
    },
    steps: [],
  },
  {
    slug: 'goal-bkfrzmwp',
    member: own,
    words: {
      title: 'Winter coats for 34 pupils',
      byline: 'Parents of the Hillside School',
      category: 'Clothing',
      days: 21,
      story:
        'In our valley the winter begins in November, and the school has no heating in its corridor. 34 pupils walk more than three kilometres to school, most of them without a coat.\n\nThe parents of the fifth class measured every child. The tailor of the village sews the coats, and each family collects its own.',
      links: 'https://example.org/goodblock-demo/hillside-parents',
      plan: [
        [880, '34 coats, sewn in the village'],
        [240, 'Wool hats and gloves'],
        [80, 'Transport to the school'],
      ],
    },
    picture: ['school', 'A teacher welcomes two pupils with new school bags in front of a school.'],
    steps: [submitted(12), operator(9, 'open')],
    gifts: [
      [8, 120],
      [7, 45.5],
      [5, 300],
      [3, 20],
      [0.4, 60],
    ],
    updates: [[4, 'The tailor bought the cloth. The first twelve coats are cut.']],
  },
  {
    slug: 'goal-cmdhvtqx',
    member: own,
    words: {
      title: 'A water filter for the clinic',
      byline: 'The nurses of the lower valley',
      category: 'Health',
      days: 10,
      story:
        'After the flood the water of our clinic is brown for days after each rain. We boil it on a gas stove, which takes two hours each morning. A filter with three stages cleans 400 litres a day.',
      plan: [
        [520, 'A filter with three stages'],
        [130, 'Spare cartridges for a year'],
      ],
    },
    picture: ['water', 'A woman pumps water into a can, and a boy drinks.'],
    steps: [submitted(58), operator(56, 'open'), ended(46), operator(28, 'completed')],
    gifts: [
      [54, 250],
      [52, 75],
      [50, 150, 'treasury'],
      [47, 210.25],
    ],
    updates: [
      [44, 'Thank you. The filter is ordered; it arrives within two weeks.'],
      [
        30,
        'The filter runs since Monday. We paid $512.40 for the filter and $126.00 for the cartridges; $46.85 are left, and pay for the plumber. Both receipts are linked.',
        ['filter', 'A nurse shows a filter with three stages to a mother. Clean water runs into a bucket.'],
        ['filter', 'cartridges'],
      ],
    ],
    report: 2,
  },
  {
    slug: 'goal-dwxnpjrk',
    member: memberOf('Ines'),
    words: {
      title: 'A sewing workshop for twelve women',
      byline: 'Ines and the Harbour Sewing Circle',
      category: 'Work',
      days: 14,
      story:
        'Twelve women of the old harbour repair clothes in a room without a window. With four machines and a table they can take orders of the school and of the hospital.',
      plan: [
        [960, 'Four sewing machines'],
        [240, 'A cutting table and lamps'],
      ],
    },
    steps: [
      submitted(6, {
        byline: 'Harbour Hospital',
        plan: [
          [960, 'Machines'],
          [240, 'Others'],
        ],
      }),
      operator(5, 'returned', {
        reason: 'Please say who you are: the hospital did not write this. And name what "Others" is.',
      }),
      submitted(2),
    ],
  },
  {
    slug: 'goal-fqztkbms',
    member: memberOf('Jonas'),
    words: {
      title: 'New tyres for the school bus',
      byline: 'Jonas, driver of the bus',
      category: 'School',
      days: 7,
      story:
        'The bus brings 41 pupils to school each morning. Its tyres are seven years old, and two are patched.',
      plan: [[640, 'Six tyres, fitted']],
    },
    steps: [
      submitted(15),
      operator(13, 'returned', { reason: 'The wallet received a payment. Please prove a new one.' }),
    ],
  },
  {
    slug: 'goal-gvrpwndz',
    member: memberOf('Amara'),
    words: {
      title: 'Hot meals on market days',
      byline: 'Amara, cook',
      category: 'Food',
      days: 30,
      story:
        'On market days 60 people come who have nothing to eat. I cook in the yard of the church. The church gives the yard and the wood; the rice, the oil and the vegetables cost $20 a day.',
      plan: [[400, 'Rice, oil and vegetables for 20 market days']],
    },
    picture: ['meals', 'A cook fills bowls at a long table.'],
    steps: [submitted(23), operator(20, 'open')],
    gifts: [
      [18, 100],
      [15, 25],
      [12, 200, 'treasury'],
      [6, 110],
    ],
    complaints: [[3, 'other', 'The page says sixty people. Last week there were perhaps thirty.']],
  },
  {
    slug: 'goal-hjbxdkfw',
    member: memberOf('Leo'),
    words: {
      title: 'Surgery for a street dog',
      byline: 'Old Port Shelter',
      category: 'Animals',
      days: 14,
      story:
        'A dog of the old port was hit by a car and cannot walk. The vet can operate this week if we pay first.',
      plan: [[900, 'The operation']],
    },
    picture: ['vet', 'A vet listens to the heart of a dog on a table.'],
    steps: [
      submitted(11),
      operator(8, 'open'),
      operator(4, 'open', {
        frozen: true,
        reason: 'The shelter says that it did not ask for this. We wait for its letter.',
      }),
    ],
    gifts: [
      [7, 80],
      [6, 35],
    ],
    complaints: [
      [5, 'impersonation', 'I work at the Old Port Shelter. We do not know this person.'],
      [5, 'scam', 'The picture is from another page, which is three years old.'],
    ],
  },
  {
    slug: 'goal-jnmqrvtb',
    member: memberOf('Noa'),
    words: {
      title: 'Instruments for the youth orchestra',
      byline: 'Noa, conductor',
      category: 'Music',
      days: 14,
      story:
        'Twelve children wait for a violin. We found a maker who sells used ones with a guarantee of two years.',
      plan: [[1500, 'Six used violins with bows']],
    },
    steps: [submitted(34), operator(32, 'open'), ended(18)],
    gifts: [
      [30, 500],
      [25, 140],
      [20, 60],
    ],
    updates: [[16, 'We bought two violins, and look for a third one at this price.']],
  },
  {
    slug: 'goal-kzwfpxcd',
    member: memberOf('Sam'),
    words: {
      title: 'Books for the reading room',
      byline: 'Sam, librarian',
      category: 'Education',
      days: 10,
      story:
        'The reading room has 90 books, and 40 children who have read them all. We ask for a hundred new ones.',
      plan: [
        [700, 'A hundred books'],
        [100, 'A shelf'],
      ],
    },
    picture: ['library', 'A librarian gives a book to a child in front of full shelves.'],
    steps: [submitted(30), operator(28, 'open'), ended(18)],
    gifts: [
      [26, 400],
      [22, 400],
    ],
    updates: [
      [
        5,
        'All 100 books are on the new shelf. The bookshop charged $702.00 and the joiner $98.00. Both receipts are linked.',
        ['books', 'Two children read. Between them is a stack of new books.'],
        ['books', 'shelf'],
      ],
    ],
    report: 1,
  },
  {
    slug: 'goal-mtdkbqgh',
    member: memberOf('Kim'),
    words: {
      title: 'A roof for the bakery',
      byline: 'Corner Bakery',
      category: 'Work',
      days: 14,
      story: 'The storm of spring took half of the roof. Until it is repaired, we bake on dry days only.',
      plan: [[2400, 'Roof sheets and a carpenter for two weeks']],
    },
    steps: [submitted(128), operator(125, 'open'), ended(111)],
    gifts: [
      [122, 300],
      [118, 90],
    ],
  },
  {
    slug: 'goal-nrxvgwpf',
    member: memberOf('Rui'),
    words: {
      title: 'Tents for the earthquake',
      byline: 'Rui',
      category: 'Relief',
      days: 7,
      story:
        'My cousin lives in the town of the earthquake. I collect for tents and bring them there myself.',
      plan: [[5000, 'Forty tents']],
    },
    steps: [
      submitted(45),
      operator(43, 'open'),
      operator(40, 'annulled', {
        reason: 'The member asked for money on two other sites with the same picture and other names.',
      }),
    ],
    gifts: [[42, 15]],
  },
  {
    slug: 'goal-pbzhmkjc',
    member: memberOf('Eva'),
    words: {
      title: 'Help me with my rent',
      byline: 'Eva',
      category: 'Other',
      days: 30,
      story: 'I cannot pay my rent this month because my employer has not paid me since the summer.',
      plan: [[800, 'Rent']],
    },
    steps: [
      submitted(40),
      operator(38, 'rejected', { reason: 'We cannot check a private emergency. We are sorry.' }),
    ],
  },
]

const publicStages = ['open', 'ended', 'completed', 'annulled']
const idOf = (at: number) => `0000dead-0000-4000-8000-0000000002${String(at + 1).padStart(2, '0')}`
const walletOf = ({ slug }: DemoGoal) => (slug ? fakeAddress(slug) : null)
const targetOf = ({ plan }: Words) => plan.reduce((sum, [dollars]) => sum + dollars, 0)
const planOf = ({ plan }: Words) => plan.map(([dollars, what]) => ({ amount: `${dollars}`, what }))
const openedAt = ({ steps }: DemoGoal) => steps.find(({ stage }) => stage === 'open')?.days
const fixed = (dollars: number) => dollars.toFixed(2)

function pictureOf(
  { picture }: DemoGoal,
  at: number,
): { path: string; sha256: string; bytes: Buffer } | null {
  if (!picture) return null
  const bytes = readFileSync(new URL(`demo-pictures/${picture[0]}.webp`, import.meta.url))
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return { path: `${idOf(at)}/${sha256}.webp`, sha256, bytes }
}

/** The pictures of the goals, with their names in the bucket. */
export function demoGoalPictures(): { name: string; bytes: Buffer }[] {
  return demoGoals.flatMap((goal, at) => {
    const picture = pictureOf(goal, at)
    return picture ? { name: picture.path, bytes: picture.bytes } : []
  })
}

/** An operator's act on a goal, without an entry in the log: a return or a rejection. */
export interface GoalAct {
  at: string
  kind: string
  subject: string
  reasonHash: string
}

export function demoGoalActs(): GoalAct[] {
  return demoGoals.flatMap(({ slug, steps }) =>
    steps.flatMap(({ days, stage, reason = '' }) =>
      slug && (stage === 'returned' || stage === 'rejected')
        ? {
            at: daysBefore(days),
            kind: stage === 'returned' ? 'goal-return' : 'goal-rejection',
            subject: slug,
            reasonHash: hashOf(reason),
          }
        : [],
    ),
  )
}

/** The kind of the act that changed a goal publicly; null for the member or the scheduled work. */
export function kindOfChange(row: Row): string | null {
  if (row.changed_by !== 'operator') return null
  if (row.frozen) return 'goal-freeze'
  return row.stage === 'completed'
    ? 'goal-report'
    : row.stage === 'annulled'
      ? 'goal-annulment'
      : 'goal-approval'
}

/** The operator's reason for a public change to a goal. */
export function reasonOfChange(row: Row): string | undefined {
  const goal = demoGoals.find(({ slug }) => slug === row.slug)
  return goal?.steps.filter(({ stage }) => publicStages.includes(stage))[Number(row.revision)]?.reason
}

/** The public reasons of operators. */
export function demoGoalReasons(): string[] {
  return demoGoals.flatMap(({ steps }) =>
    steps.flatMap(({ stage, reason }) => (publicStages.includes(stage) && reason ? reason : [])),
  )
}

/** Adds the goals, their accounts, moves, checks and complaints. The log has the public texts already. */
export async function fillDemoGoals(sql: Sql): Promise<void> {
  const isPublic = (goal: DemoGoal) => openedAt(goal) !== undefined
  await insertRows(
    sql,
    'private.accounts',
    demoGoals.filter(isPublic).map(({ slug }) => ({ slug, is_pool: false })),
  )
  await insertRows(sql, 'public.goals', demoGoals.map(goalRow))
  await insertRows(
    sql,
    'private.goal_moves',
    demoGoals.flatMap((goal, at) =>
      goal.steps.map(({ days, stage, by, frozen = false, words }, step) => ({
        goal: idOf(at),
        former: goal.steps[step - 1]?.stage ?? 'draft',
        stage,
        frozen,
        hidden: false,
        moved_by: by,
        moved_at: daysBefore(days),
        texts: stage === 'submitted' && !isPublic(goal) ? submission(goal, at, words) : null,
      })),
    ),
  )
  await insertRows(
    sql,
    'private.goal_checks',
    demoGoals.flatMap((goal, at) =>
      goal.steps.at(-1)?.stage === 'submitted'
        ? {
            goal: idOf(at),
            wallet: walletOf(goal),
            fault: null,
            nonce: 0,
            holds: [],
            block_number: lastBlock.block_number,
            block_hash: lastBlock.block_hash,
            checked_at: daysBefore(0),
          }
        : [],
    ),
  )
  await insertRows(
    sql,
    'public.goal_complaints',
    demoGoals.flatMap(({ complaints = [] }, at) =>
      complaints.map(([days, reason, text], number) => ({
        goal: idOf(at),
        member: complainers[number]?.id,
        reason,
        text,
        made_at: daysBefore(days),
      })),
    ),
  )
}

/** The words that a member submitted, in the form of private.goal_moves. */
function submission(goal: DemoGoal, at: number, former: Partial<Words> = {}): Row {
  const words = { ...goal.words, ...former }
  return {
    title: words.title,
    byline: words.byline,
    category: words.category,
    story: words.story,
    target_usd: fixed(targetOf(words)),
    days: words.days,
    plan: planOf(words),
    links: words.links ?? '',
    picture_path: pictureOf(goal, at)?.path ?? null,
    picture_text: goal.picture?.[1] ?? '',
    wallet: walletOf(goal),
  }
}

function goalRow(goal: DemoGoal, at: number): Row {
  const { slug, member, words, steps, report = null } = goal
  const at_ = (stage: string) => steps.findLast((step) => step.stage === stage)
  const time = (stage: string) => (at_(stage) ? daysBefore(at_(stage)?.days ?? 0) : null)
  const opened = openedAt(goal)
  const last = steps.at(-1)
  const created = daysBefore((steps[0]?.days ?? 1) + 2)
  const isPublic = opened !== undefined
  const reason = last && ['returned', 'rejected'].includes(last.stage) ? (last.reason ?? null) : null
  const texts = publishedTexts(goal)
  return {
    id: idOf(at),
    member,
    stage: last?.stage ?? 'draft',
    revision: steps.length,
    version: 3,
    frozen: last?.frozen ?? false,
    hidden: false,
    slug,
    target_usd: fixed(targetOf(words)),
    days: words.days,
    title: isPublic ? '' : words.title,
    byline: isPublic ? '' : words.byline,
    category: isPublic ? '' : words.category,
    story: isPublic ? '' : words.story,
    plan: isPublic ? [] : planOf(words),
    links: isPublic ? '' : (words.links ?? ''),
    picture_path: pictureOf(goal, at)?.path ?? null,
    picture_text: isPublic ? '' : (goal.picture?.[1] ?? ''),
    wallet: walletOf(goal),
    reason,
    reason_salt: reason && saltOf(reason).toString('hex'),
    fault: null,
    report_number: report,
    unread_from: null,
    created_at: created,
    saved_at: created,
    submitted_at: time('submitted'),
    opened_at: isPublic ? daysBefore(opened) : null,
    ends_at: isPublic ? daysBefore(opened - words.days) : null,
    ended_at: time('ended'),
    ended_by: at_('ended')?.by ?? null,
    completed_at: time('completed'),
    ...Object.fromEntries(
      Object.entries(texts).map(([name, text]) => [`${name}_hash`, isPublic && text ? hashOf(text) : null]),
    ),
  }
}

/** The texts that the approval publishes, keyed by the names of their columns. */
function publishedTexts({ words, picture }: DemoGoal): Record<string, string | null> {
  const { title, byline, category, story, links = null } = words
  const plan = words.plan.map(([dollars, what]) => `${fixed(dollars)} ${what}`).join('\n')
  return { title, byline, category, plan, story, links, picture_text: picture?.[1] ?? null }
}

/** The log entries about goals: each row with its table and its time. */
export function demoGoalEntries(walletOfTreasury: string): { table: string; row: Row }[] {
  return demoGoals.flatMap((goal, at) => {
    if (openedAt(goal) === undefined) return []
    return [...changes(goal, at), ...gifts(goal, walletOfTreasury), ...updates(goal)]
  })
}

function changes(goal: DemoGoal, at: number) {
  const { slug, words, steps } = goal
  const opened = openedAt(goal) ?? 0
  return steps
    .filter(({ stage }) => publicStages.includes(stage))
    .map(({ days, stage, by, frozen = false }, revision) => ({
      table: 'public.goal_changes',
      row: {
        slug,
        revision,
        stage,
        frozen,
        hidden: false,
        changed_by: by,
        recorded_at: daysBefore(days),
        target_usd: fixed(targetOf(words)),
        wallet: walletOf(goal),
        picture: pictureOf(goal, at)?.sha256 ?? null,
        opened_at: daysBefore(opened),
        ends_at: daysBefore(opened - words.days),
        ...publishedTexts(goal),
        reason_hash: null,
      },
    }))
}

function gifts(goal: DemoGoal, treasury: string) {
  return (goal.gifts ?? []).map(([days, dollars, from], at) => {
    const hash = createHash('sha256').update(`${goal.slug} ${at}`).digest('hex')
    const account = from ? 'treasury' : goal.slug
    return {
      table: 'public.transactions',
      row: {
        occurred_at: daysBefore(days),
        account,
        counter_account: null,
        pool_slug: from ? null : goal.slug,
        direction: from ? 'out' : 'in',
        type: from ? 'dream' : 'goal-gift',
        from_address: from ? treasury : fakeAddress(`giver ${at * 3}`),
        to_address: walletOf(goal),
        amount_usd: fixed(dollars),
        rate_usd: '1',
        rate_source: 'Stablecoin, one to one',
        token_amount: `${Math.round(dollars * 100)}${'0'.repeat(16)}`,
        token_symbol: 'DEMOUSD',
        token_decimals: 18,
        token_address: fakeAddress('DEMOUSD'),
        tx_hash: `0xfa4e${hash.slice(0, 60)}`,
        chain_id: chainId,
        ordinal: at,
        revision: 0,
        recorded_at: new Date(Date.parse(daysBefore(days)) + hour / 12).toISOString(),
        note: from ? `For the goal "${goal.words.title}"` : null,
        proof_url: null,
      },
    }
  })
}

function updates({ slug, updates = [] }: DemoGoal) {
  return updates.map(([days, text, scene, receipts = []], at) => {
    const picture = scene && {
      path: `/drawings/scenes/${scene[0]}.svg`,
      width: 480,
      height: 270,
      alt: scene[1],
    }
    const links = [
      ...(picture ? [toPictureLink('https://example.org', picture)] : []),
      ...receipts.map((name) => `https://example.org/goodblock-demo/receipts/${slug}/${name}`),
    ]
    return {
      table: 'public.pool_updates',
      row: {
        pool_slug: slug,
        number: at + 1,
        revision: 0,
        published_at: daysBefore(days),
        helping: null,
        recorded_at: daysBefore(days),
        text,
        links: links.join('\n') || null,
        helping_source: null,
      },
    }
  })
}
