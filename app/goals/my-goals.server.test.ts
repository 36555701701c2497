import { expect, test } from 'vitest'
import { newLog } from '../../tests/support/log.ts'
import { createApi, Data } from '../platform/server/data.server.ts'
import { endGoal, postGoalUpdate, submitGoal, takeBackGoal } from './goal-calls.server.ts'
import { type DraftValues, saveDraft, savePicture } from './my-goals.server.ts'

const goal = 'b0b0b0b0-0000-4000-8000-000000000001'
const draft = { id: goal, member: goal, version: 3 }
const update = { words: 'Thank you', links: '', picture: null, is_report: false }

/** The data API of a backend that answers every call with this text. */
function dataOf(text: string, status = 200): Data {
  const answer = async () => new Response(text, { status, headers: { 'Content-Type': 'application/json' } })
  return new Data(createApi('https://backend.example', '', answer), newLog())
}

test.each(['null', '42', '""', '{}', '[{"id":"x"},null,7]', '[{"version":null}]'])(
  'a goal counts as changed only if the answer has the expected form: %s',
  async (text) => {
    const data = dataOf(text)
    expect(await saveDraft(data, draft, {} as DraftValues)).toBe('failed')
    expect(await saveDraft(data, { ...draft, version: null }, {} as DraftValues)).toBe('failed')
    expect(await savePicture(data, draft, 'picture')).toBe(false)
    for (const call of [submitGoal(data, goal, 3), takeBackGoal(data, goal), endGoal(data, goal, null)])
      expect(await call).toMatchObject({ code: 'unknown' })
    expect(await postGoalUpdate(data, goal, update)).toMatchObject({ code: 'unknown' })
  },
)

test('a draft is saved, is stale, or is stored for the first time', async () => {
  expect(await saveDraft(dataOf('[{"version":4}]'), draft, {} as DraftValues)).toBe('saved')
  expect(await saveDraft(dataOf('[]'), draft, {} as DraftValues)).toBe('stale')
  expect(await saveDraft(dataOf('', 201), { ...draft, version: null }, {} as DraftValues)).toBe('saved')
  expect(await submitGoal(dataOf('{"stage":"submitted","slug":"goal-bcdfghjk"}'), goal, 3)).toBe(null)
  expect(await postGoalUpdate(dataOf('{"number":1}'), goal, update)).toEqual({ waits: false })
})
