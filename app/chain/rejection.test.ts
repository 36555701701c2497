import { expect, test } from 'vitest'
import {
  errors,
  nodeErrors,
  type ProviderError,
  providers,
  withoutLogs,
} from '../../tests/support/providers.ts'
import { rejectionOf } from './rejection.ts'

const kindOf = (error: ProviderError, method = 'eth_getLogs') =>
  rejectionOf(method, { ...error, status: error.status ?? 200 })

test.each(providers)(
  'the errors of $name mean a range, a rate or missing data',
  ({ range, rate, state, lacks }) => {
    if (range) expect(kindOf(range.error)).toBe('range')
    if (rate) expect([kindOf(rate.error), kindOf(rate.error, 'eth_call')]).toEqual(['limited', 'limited'])
    if (state) expect(kindOf(state.error, 'eth_getBalance')).toBe('refused')
    if (lacks) expect(kindOf(lacks.error, 'debug_traceTransaction')).toBe('refused')
  },
)

test.each(errors)('$of: $error.message', ({ error, means }) => {
  expect(kindOf(error)).toBe(means)
})

test.each([
  [3, 'execution reverted: Daily transfer quota exceeded'],
  [3, 'VM Exception: rate limit reached'],
  [-32000, 'execution reverted: Daily transfer quota exceeded'],
])('a contract refuses in any words: %s %s', (code, message) => {
  expect(rejectionOf('eth_call', { code, message, status: 200 })).toBe('refused')
  expect(rejectionOf('eth_call', { code, message, status: 429 })).toBe('limited')
})

test.each(nodeErrors)('a node, $method: $message', ({ method, code, message, means }) => {
  expect(rejectionOf(method, { code, message, status: 200 })).toBe(means)
})

test('an error that only says that a limit is exceeded may mean the range', () => {
  expect(withoutLogs.lacks && kindOf(withoutLogs.lacks.error)).toBe('range')
})
