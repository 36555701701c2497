import { generateKeyPairSync } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { cosign, parseWitnessKey, readCosignatures, witnessKeyOf } from '../../app/log/cosignature.ts'
import { verifierKeyOf } from '../../app/log/note.ts'
import { signLog } from '../../app/log/signing.server.ts'
import { askWitnesses } from '../../app/log/witnesses.server.ts'
import { checkWitnesses, readConfig } from '../../app/platform/server/env.server.ts'
import { createService } from '../../app/platform/server/service.server.ts'
import { temporaryFolder } from '../support/data-folder.ts'
import { newLog } from '../support/log.ts'
import { startTemporary, type TemporaryBackend, transaction } from '../support/temporary-backend.ts'
import { spawnWitness, startFakeWitness } from '../support/witness.ts'

const origin = 'test.example/log'
const privateKey = generateKeyPairSync('ed25519')
  .privateKey.export({ format: 'der', type: 'pkcs8' })
  .toString('base64')
const [name, otherName] = ['a.example/w', 'b.example/w']
const now = () => Math.floor(Date.now() / 1000)

let backend: TemporaryBackend
let fake: Awaited<ReturnType<typeof startFakeWitness>>
let vkey: string
beforeAll(async () => {
  backend = await startTemporary()
  fake = await startFakeWitness(() => {})
  vkey = await witnessKeyOf({ name, privateKey })
})
afterAll(async () => {
  await fake?.close()
  await backend?.close()
})
beforeEach(async () => {
  await sign()
  fake.requests.length = 0
})

/** Appends an entry and signs a checkpoint, which makes every witness due. */
async function sign(): Promise<number> {
  await backend.sql('select public.append_ledger($1)', [JSON.stringify([transaction()])])
  const service = createService(backend.url, backend.secretKey, fetch)
  const size = await signLog(service, { privateKey: backend.logKey, origin }, null)
  await later()
  return size ?? 0
}
/** Makes every witness due, even after a failure. */
const later = () => backend.sql('update private.log_witnesses set ask_after = now()')

const configFor = (witnesses: string, others: Record<string, string> = {}) =>
  readConfig({
    SITE_URL: 'http://127.0.0.1:8787',
    SUPABASE_URL: backend.url,
    SUPABASE_PUBLISHABLE_KEY: backend.publishableKey,
    SUPABASE_SECRET_KEY: backend.secretKey,
    LOG_KEY: backend.logKey,
    LOG_ORIGIN: origin,
    WITNESSES: witnesses,
    ...others,
  })
async function ask(witnesses = `${vkey} ${fake.url}`) {
  const log = newLog()
  await askWitnesses(configFor(witnesses), fetch, log)
  return log
}
const state = async (witness = vkey) =>
  (
    await backend.sql<{ state: string; fault: string | null; alarm: string | null; wait: number }>(
      `select state, fault, alarm, extract(epoch from ask_after - now())::int as wait
       from public.witness_states where witness = $1`,
      [witness],
    )
  )[0]
const newest = async () =>
  (
    await backend.sql<{ note: string; size: number }>('select note, size::int from public.newest_checkpoints')
  )[0] as { note: string; size: number }
const textOf = (body: string) => body.slice(body.indexOf('\n\n') + 2, body.lastIndexOf('\n\n') + 1)
/** Cosigns the checkpoint of a request, with this time. */
const line = (body: string, time = now(), by = name) => cosign({ name: by, privateKey }, textOf(body), time)
const reply =
  (status: number, text = '', type = 'text/plain') =>
  (_: string, response: ServerResponse) =>
    response.writeHead(status, { 'Content-Type': type }).end(text)
const cosigns = async (body: string, response: ServerResponse) => response.end(await line(body))

test('appends a witness signature to the archived note once, and makes no call in an idle minute', async () => {
  fake.answerWith(cosigns)
  const before = await newest()
  expect((await ask()).info).toHaveBeenCalledWith('witnesses.asked', {
    witnesses: [{ name, size: before.size, state: 'well' }],
  })
  expect(fake.requests[0]).toBe(`old 0\n\n${before.note}`)
  const { note } = await newest()
  expect(note.startsWith(`${before.note}— ${name} `)).toBe(true)
  expect(await readCosignatures(note, [await parseWitnessKey(vkey)])).toHaveLength(1)
  for (const log of [await ask(), await ask()]) expect(log.info).not.toHaveBeenCalled()
  expect(fake.requests).toHaveLength(1)

  // The next checkpoint comes with a proof from the size that the witness has cosigned.
  const size = await sign()
  await ask()
  expect(fake.requests[1]).toMatch(new RegExp(`^old ${before.size}\\n(\\S{44}\\n)+\\n${origin}\\n${size}\\n`))
  expect(await backend.sql('select size::int from published_cosignatures order by id')).toEqual([
    { size: before.size },
    { size },
  ])
})

const bad = {
  'a line of another key': (body: string) => line(body, now(), otherName),
  'a line whose time is an hour ahead': (body: string) => line(body, now() + 3600),
  'a line whose time is in 1990': (body: string) => line(body, 631_152_000),
  'a line of another checkpoint': (body: string) => line(body.replace(/\n\d+\n(?=\S{44}\n\n—)/, '\n9999\n')),
  'text that is not a line': () => 'hello\n',
  'a line without a line feed': async (body: string) => (await line(body)).trimEnd(),
  'an empty response': () => '',
  'a response of more than 64 kB': async (body: string) => (await line(body)).repeat(600),
}
test.each(Object.entries(bad))('stores nothing for %s, and asks again later', async (_, answer) => {
  fake.answerWith(async (body, response) => response.end(await answer(body)))
  const before = await newest()
  const log = await ask()
  expect(log.warn).toHaveBeenCalledOnce()
  expect(await newest()).toEqual(before)
  expect(await state()).toMatchObject({ state: 'fault', fault: expect.any(String) })
})

test.each([
  [400, 'configuration', 3_590],
  [403, 'configuration', 3_590],
  [404, 'configuration', 3_590],
  [422, 'alarm', 3_590],
  [302, 'fault', undefined],
  [409, 'fault', undefined],
  [500, 'fault', undefined],
])('the status %i is recorded as %s', async (status, expected, wait) => {
  fake.answerWith((_, response) => response.writeHead(status, { Location: fake.url }).end('x'))
  const log = await ask()
  expect(expected === 'alarm' ? log.error : log.warn).toHaveBeenCalledOnce()
  const found = await state()
  expect(found).toMatchObject({ state: expected, fault: expect.any(String) })
  if (wait) expect(Math.abs((found?.wait ?? 0) - wait)).toBeLessThan(60)
  expect(fake.requests).toHaveLength(1)
})

test('waits longer after each failure, up to an hour, even if the log has not grown', async () => {
  fake.answerWith(reply(500))
  await backend.sql('update private.log_witnesses set failures = 0')
  const waits: number[] = []
  for (let failure = 0; failure < 8; failure++) {
    await ask()
    waits.push((await state())?.wait ?? 0)
    await ask()
    await later()
  }
  expect(fake.requests).toHaveLength(8)
  const expected = [50, 110, 230, 470, 950, 1910, 3590, 3590]
  for (const [at, wait] of waits.entries()) expect(Math.abs(wait - (expected[at] ?? 0))).toBeLessThan(15)
  fake.answerWith(cosigns)
  await ask()
  expect(await state()).toMatchObject({ state: 'well', fault: null })
})

const sizeReply = (size: number) => reply(409, `${size}\n`, 'text/x.tlog.size')

test('asks once more from the size that the witness states, and reports no fault if another run was faster', async () => {
  const { size } = await newest()
  fake.answerWith((body, response) =>
    body.startsWith('old 1\n') ? cosigns(body, response) : sizeReply(1)(body, response),
  )
  await ask()
  expect(fake.requests.map((body) => body.split('\n')[0])).toEqual([expect.any(String), 'old 1'])
  expect(await state()).toMatchObject({ state: 'well' })

  // This run read an older checkpoint, and the witness already has the newest checkpoint.
  const greater = await sign()
  const stale = async (input: RequestInfo | URL, init?: RequestInit) => {
    const response = await fetch(input, init)
    if (!`${input}`.endsWith('claim_witnesses')) return response
    return Response.json([
      { witness: vkey, size, root: 'r', note: (await newest()).note, known_size: 0, proof: [] },
    ])
  }
  fake.answerWith(sizeReply(greater))
  const log = newLog()
  await askWitnesses(configFor(`${vkey} ${fake.url}`), stale as typeof fetch, log)
  expect(log.info).toHaveBeenCalledWith('witnesses.asked', { witnesses: [{ name, size, state: 'well' }] })
})

test('raises an alarm for a size that was never signed, and keeps the alarm after the witness responds correctly', async () => {
  fake.answerWith(sizeReply(5_000))
  expect((await ask()).error).toHaveBeenCalledOnce()
  expect(await state()).toMatchObject({
    state: 'alarm',
    alarm: expect.stringContaining('our archive has no checkpoint'),
  })
  await later()
  fake.answerWith((body, response) => sizeReply(Number(/^\d+$/m.exec(textOf(body))?.[0]))(body, response))
  await ask()
  expect(await state()).toMatchObject({ state: 'fault', fault: 'it named one size, and then another one' })
  await later()
  fake.answerWith(cosigns)
  await ask()
  expect(await state()).toMatchObject({
    state: 'well',
    alarm: expect.stringContaining('our archive has no checkpoint'),
  })
})

test('asks all witnesses at the same time, and waits at most three seconds for a slow or dead witness', async () => {
  const quick = await startFakeWitness(async (body, response) =>
    response.end(await line(body, now(), otherName)),
  )
  fake.answerWith((_, response) => response.write('—'))
  const otherKey = await witnessKeyOf({ name: otherName, privateKey })
  const other = generateKeyPairSync('ed25519')
    .privateKey.export({ format: 'der', type: 'pkcs8' })
    .toString('base64')
  const dead = await witnessKeyOf({ name: 'dead.example', privateKey: other })
  const began = Date.now()
  const asked = ask(`${vkey} ${fake.url}; ${dead} http://127.0.0.1:1`)
  const both = ask(`${otherKey} ${quick.url}`)
  await both
  expect(await state(otherKey)).toMatchObject({ state: 'well' })
  await asked
  expect(Date.now() - began).toBeLessThan(9_000)
  expect(await state()).toMatchObject({ state: 'fault', fault: 'it did not answer within 3 seconds' })
  expect(await state(dead)).toMatchObject({ state: 'fault', fault: 'it could not be reached' })
  await quick.close()
})

test('if runs overlap, or a run is killed after the witness responds, exactly one signature is stored for each checkpoint', async () => {
  const folder = temporaryFolder()
  const child = spawnWitness(folder.path, [await verifierKeyOf({ name: origin, privateKey: backend.logKey })])
  const real = await child.ready
  const witnesses = `${real.vkey} ${real.url}`
  // The run was killed after the response from the witness and before anything was stored.
  const killed = ((input: RequestInfo | URL, init?: RequestInit) =>
    `${input}`.endsWith('record_witness')
      ? Promise.reject(new Error('killed'))
      : fetch(input, init)) as typeof fetch
  await askWitnesses(configFor(witnesses), killed, newLog())
  expect(await state(real.vkey)).toMatchObject({ state: 'asked' })
  await later()
  await ask(witnesses)
  expect(await state(real.vkey)).toMatchObject({ state: 'well' })
  for (let round = 0; round < 4; round++) {
    await sign()
    await Promise.all([ask(witnesses), sleep(round * 5).then(() => ask(witnesses)), ask(witnesses)])
  }
  expect(
    await backend.sql(
      `select count(*)::int as lines, count(distinct size)::int as sizes from published_cosignatures where witness = $1`,
      [real.vkey],
    ),
  ).toEqual([{ lines: 5, sizes: 5 }])
  await child.kill()
  folder.remove()
})

test('reports each invalid value of the variable WITNESSES', async () => {
  const [, id = ''] = vkey.split('+')
  for (const wrong of [
    'x https://w.example',
    `${vkey}`,
    `${vkey} http://w.example`,
    `${vkey} https://w.example/?a`,
    `${vkey} https://w.example; ${vkey} https://v.example`,
  ])
    expect(() => configFor(wrong), wrong).toThrow(/^Configuration: WITNESSES/)
  const [one] = configFor(`${vkey} https://w.example/a/ https://about.example Example Foundation;`).WITNESSES
  expect(one).toEqual({
    ...{
      vkey,
      name,
      url: 'https://w.example/a',
      link: 'https://about.example',
      operator: 'Example Foundation',
    },
  })
  const sound = configFor(`${vkey} https://w.example`)
  const unsound = configFor(`${vkey.replace(id, '00000000')} https://w.example`)
  for (const _ of [1, 2]) {
    await expect(checkWitnesses(sound)).resolves.toBe(undefined)
    await expect(checkWitnesses(unsound)).rejects.toThrow(/^Configuration: WITNESSES\.0: the key ID/)
  }
  expect(() => configFor('', { WITNESS_QUORUM: '1' })).toThrow(/^Configuration: WITNESS_QUORUM/)
})
