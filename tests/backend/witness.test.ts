import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { type Bytes, decodeBase64, encodeBase64, encodeText } from '../../app/log/bytes.ts'
import { parseWitnessKey, readCosignatures } from '../../app/log/cosignature.ts'
import { verifyConsistency } from '../../app/log/merkle.ts'
import { signNote } from '../../app/log/note.ts'
import { consistencyProof } from '../../app/log/tree.ts'
import vectors from '../../public/ledger/log-vectors.json' with { type: 'json' }
import { temporaryFolder } from '../support/data-folder.ts'
import { drawFrom } from '../support/draw.ts'
import { checkpointOf, startLogSite } from '../support/log-site.ts'
import { LogTree } from '../support/log-tree.ts'
import { spawnWitness } from '../support/witness.ts'

const deep = process.env.DEEP === '1'
const kills = deep ? 200 : 10
const entries = deep ? 10_000 : 600
const { origin, vkey, private_key: key } = vectors

const folders = [temporaryFolder(), temporaryFolder(), temporaryFolder()]
afterAll(() => {
  for (const folder of folders) folder.remove()
})

/** A log whose entries from `fork` on belong to a different history. */
const treeOf = (fork: number, name = 'other') =>
  new LogTree(Array.from({ length: entries }, (_, at) => encodeText(`${at < fork ? 'entry' : name} ${at}`)))
const tree = treeOf(entries)

async function requestOf(from: LogTree, old: number, size: number, proofTree = from): Promise<string> {
  const proof = old <= size ? await consistencyProof(old, size, proofTree.readTiles) : []
  const lines = proof.map((hash) => `${encodeBase64(hash)}\n`).join('')
  return `old ${old}\n${lines}\n${await checkpointOf(from, key, origin, size)}`
}
const prefixOf = (from: LogTree, size: number) => new LogTree(from.entries.slice(0, size))

async function post(url: string, body: string) {
  const response = await fetch(`${url}/add-checkpoint`, { method: 'POST', body })
  return { status: response.status, type: response.headers.get('Content-Type'), text: await response.text() }
}

test('responds to add-checkpoint as the specification says, and serves the checkpoints that it has cosigned', async () => {
  const child = spawnWitness(folders[0]?.path ?? '', [vkey])
  const { url, vkey: witnessKey } = await child.ready
  const key4 = await parseWitnessKey(witnessKey)
  const forked = treeOf(7)
  const cosigned = async (body: string) => {
    const { status, text } = await post(url, body)
    expect([status, text]).toEqual([200, expect.stringMatching(/^— witness\.example\/w1 \S+\n$/)])
    const note = body.slice(body.indexOf('\n\n') + 2)
    expect(await readCosignatures(note + text, [key4])).toHaveLength(1)
  }
  const monitor = `${url}/${createHash('sha256').update(origin).digest('hex')}/checkpoint`
  expect((await fetch(monitor)).status).toBe(404)

  await cosigned(await requestOf(tree, 0, 5))
  await cosigned(await requestOf(tree, 5, 13))
  await cosigned(await requestOf(tree, 13, 13))
  // The request names size 0, but the witness has cosigned size 13.
  expect(await post(url, await requestOf(tree, 0, 13))).toEqual({
    status: 409,
    type: 'text/x.tlog.size',
    text: '13\n',
  })
  expect((await post(url, await requestOf(tree, 13, 9))).status).toBe(400)
  expect((await post(url, await requestOf(tree, 0, 9))).text).toBe('13\n')
  // The log's own note with a wrong proof, as any stranger can send it, is no fork.
  const wrong = `${encodeBase64(new Uint8Array(32))}\n`
  const padded = (await requestOf(tree, 13, 13)).replace('\n', `\n${wrong}`)
  expect((await post(url, padded)).status).toBe(422)
  expect(child.output()).not.toContain('FORKED')
  await sleep(1_000)
  const root = encodeBase64(forked.root(13))
  const text = `${origin}\n13\n${root}\nan extension \u009b2J\u202e\n`
  const fork = `old 13\n\n${await signNote(text, { name: origin, privateKey: key })}`
  for (const request of [fork, fork]) expect((await post(url, request)).status).toBe(422)
  expect(child.output()).toContain('\nan extension \\u{9b}2J\\u{202e}\n')
  expect((await post(url, await requestOf(forked, 13, 20))).status).toBe(422)
  expect((await post(url, await requestOf(forked, 13, 20, tree))).status).toBe(422)
  expect((await post(url, (await requestOf(tree, 13, 20)).replace('old 13', 'old 13\nAAAA'))).status).toBe(
    400,
  )
  const request = await requestOf(tree, 13, 20)
  expect((await post(url, request.replaceAll(origin, 'unknown.example/log'))).status).toBe(404)
  expect((await post(url, request.replace('\n20\n', '\n21\n'))).status).toBe(403)
  await sleep(1_000)
  expect((await post(url, 'old 0\n\n')).status).toBe(400)
  expect((await post(url, `old 0\n\n${'a'.repeat(70_000)}`)).status).toBe(413)
  expect((await fetch(`${url}/add-checkpoint`)).status).toBe(405)
  await cosigned(request)
  expect(await readCosignatures(await (await fetch(monitor)).text(), [key4])).toHaveLength(1)
  expect(child.output().match(/has FORKED/g)).toHaveLength(1)
  expect(child.output().match(/is wrong/g)).toHaveLength(1)
  const answers = await Promise.all(Array.from({ length: 120 }, () => post(url, padded)))
  expect(answers.some(({ status }) => status === 429)).toBe(true)

  // A second process on the same folder is refused; then the first witness starts again.
  const second = spawnWitness(folders[0]?.path ?? '', [vkey])
  await expect(second.ready).rejects.toThrow('Is another witness running?')
  await child.kill()
  const again = spawnWitness(folders[0]?.path ?? '', [vkey])
  expect((await again.ready).vkey).toBe(witnessKey)
  expect((await post((await again.ready).url, await requestOf(tree, 0, 30))).text).toBe('20\n')
  await again.kill()
})

test('follows a log through its tiles, and reports a fork as soon as the log serves one', async () => {
  const served = async (from: LogTree, size: number) => ({
    tree: prefixOf(from, size),
    vkey,
    checkpoint: await checkpointOf(from, key, origin, size),
  })
  const site = await startLogSite(await served(tree, 270))
  const child = spawnWitness(folders[1]?.path ?? '', [`${vkey} ${site.url}/transparency/log`], 'w.example', 1)
  const { url } = await child.ready
  const said = (text: string) => expect.poll(child.output).toContain(text)
  await said('checked 270 entries')
  expect((await post(url, await requestOf(tree, 0, 280))).text).toBe('270\n')
  site.serve(await served(tree, 290))
  await said('checked 290 entries')
  // A cache of the site still serves an older checkpoint.
  site.serve({ ...(await served(tree, 290)), checkpoint: await checkpointOf(tree, key, origin, 280) })
  await sleep(1_200)
  expect(child.output()).not.toContain('error')
  // Damaged tiles on the way from an honest log are no fork.
  site.serve({ ...(await served(treeOf(100), 295)), checkpoint: await checkpointOf(tree, key, origin, 295) })
  await said('Its tiles do not have the root of its checkpoint.')
  expect(child.output()).not.toContain('FORKED')
  site.serve(await served(treeOf(100), 300))
  await said('has FORKED')
  await said('The 300 entries begin with 290 entries that have this root')
  // Both notes and the proof are enough for anyone to check.
  const [, begin = '', proof = ''] = /this root, by .*:\n(\S+)\n\n((?:\S+\n)*)/.exec(child.output()) ?? []
  const bytesOf = (text: string) => decodeBase64(text) as Bytes
  const forked = treeOf(100)
  expect(bytesOf(begin)).toEqual(forked.root(290))
  expect(bytesOf(begin)).not.toEqual(tree.root(290))
  const hashes = proof.trim().split('\n').map(bytesOf)
  expect(await verifyConsistency(290, 300, hashes, forked.root(290), forked.root(300))).toBe(true)
  expect((await post(url, await requestOf(forked, 290, 300))).status).toBe(422)
  await sleep(1_200)
  expect(child.output().match(/has FORKED/g)).toHaveLength(1)
  await child.kill()
  await site.close()
})

test(`after ${kills} kills while a log grows and forks, no two cosigned checkpoints contradict each other`, async () => {
  const draw = drawFrom(Number(process.env.SEED ?? 20261121))
  const histories = [tree, treeOf(40, 'a'), treeOf(90, 'b')]
  const cosigned: { history: LogTree; size: number }[] = []
  let requests = 0
  for (let kill = 0; kill < kills; kill++) {
    const child = spawnWitness(folders[2]?.path ?? '', [vkey])
    const { url } = await child.ready
    const isOver = { now: false }
    const writers = histories.map(async (history) => {
      for (let old = 0; !isOver.now; ) {
        const size = Math.min(entries, old + 1 + Math.floor(draw() * 4))
        const answer = await post(url, await requestOf(history, old, size)).catch(() => null)
        if (!answer) return
        requests++
        if (answer.status === 200) cosigned.push({ history, size })
        old = answer.status === 200 ? size : answer.status === 409 ? Number(answer.text) : old
        if (answer.status === 422 || old >= entries) await sleep(5)
      }
    })
    await sleep(60 + draw() * 250)
    await child.kill()
    isOver.now = true
    await Promise.all(writers)
  }
  const roots = new Map<number, string>()
  for (const { history, size } of cosigned) {
    const root = encodeBase64(history.root(size))
    expect([size, roots.get(size) ?? root]).toEqual([size, root])
    roots.set(size, root)
  }
  const greatest = cosigned.reduce((one, other) => (other.size > one.size ? other : one))
  for (const [size, root] of roots)
    expect([size, encodeBase64(greatest.history.root(size))]).toEqual([size, root])
  console.log(
    `${kills} kills, ${requests} requests, ${cosigned.length} cosignatures up to ${greatest.size} entries`,
  )
})
