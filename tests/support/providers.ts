/** How providers of BNB Smart Chain refuse calls, as public documents and reports show it. */
export interface Provider {
  name: string
  /** The largest number of blocks in a call of eth_getLogs. */
  range?: { most: number; error: ProviderError }
  /** The largest number of calls in a second. */
  rate?: { perSecond: number; error: ProviderError }
  /** The number of blocks before the newest one whose state is served. */
  state?: { kept: number; error: ProviderError }
  /** Methods that are switched off. */
  lacks?: { methods: string[]; error: ProviderError }
}

/** A JSON-RPC error. `status`: the HTTP status, if it is not 200. `source`: where the error was reported. */
export interface ProviderError {
  code: number
  message: string
  status?: number
  source: string
}

/** A full node of go-ethereum keeps the state of 128 blocks. */
const prunedState = {
  kept: 128,
  error: {
    code: -32000,
    message: 'missing trie node ef7df5d88cb1614dc3f143879a653cd90717ee42e967c5fabbcd7505a968f314 (path )',
    source: 'https://github.com/ethereum/go-ethereum/issues/20874',
  },
}
/** Methods of archives, which free plans lack. */
const noTraces = {
  methods: ['debug_traceTransaction', 'eth_getBlockReceipts'],
  error: {
    code: -32601,
    message: 'the method debug_traceTransaction does not exist/is not available',
    source: 'https://github.com/gakonst/ethers-rs/issues/1775',
  },
}

export const providers: Provider[] = [
  {
    name: 'QuickNode, free trial',
    range: {
      most: 5,
      error: {
        code: -32614,
        status: 413,
        message: 'eth_getLogs is limited to a 5 range',
        // The 5 blocks: https://www.quicknode.com/docs/ethereum/eth_getLogs
        source: 'https://github.com/palomachain/paloma/issues/1165',
      },
    },
    rate: {
      perSecond: 100,
      error: {
        code: -32012,
        message: 'credits limited to 6000/sec',
        source: 'https://github.com/latticexyz/mud/issues/1522',
      },
    },
    state: prunedState,
  },
  {
    name: 'Alchemy, free plan',
    range: {
      // The 10 blocks on BNB: https://www.alchemy.com/docs/reference/eth-getlogs
      most: 10,
      error: {
        code: -32600,
        status: 400,
        message:
          'You can make eth_getLogs requests with up to a 10 block range. Based on your parameters, this block range should work: [0x1a30dfd, 0x1a30e06]',
        source: 'https://github.com/boundless-xyz/boundless/issues/838',
      },
    },
    rate: {
      perSecond: 40,
      error: {
        code: 429,
        status: 429,
        message:
          'Your app has exceeded its compute units per second capacity. If you have retries enabled, you can safely ignore this message.',
        source: 'https://github.com/latticexyz/mud/issues/1522',
      },
    },
    lacks: noTraces,
  },
  {
    name: 'Infura',
    range: {
      most: 100,
      error: {
        code: -32602,
        message: 'range 1000 exceeds limit of 100',
        source: 'https://github.com/INFURA/infura/issues/237',
      },
    },
    rate: {
      perSecond: 100,
      error: {
        code: -32005,
        status: 429,
        message: 'exceeded project rate limit',
        source: 'https://github.com/status-im/status-go/pull/4807',
      },
    },
    state: prunedState,
  },
  {
    name: 'a public node of BNB Chain with a limited range',
    range: {
      most: 50,
      error: {
        code: -32000,
        message: 'exceed maximum block range: 5000',
        source: 'https://github.com/AlphaWallet/alpha-wallet-android/issues/2736',
      },
    },
    state: prunedState,
    lacks: noTraces,
  },
  {
    name: 'Ankr',
    range: {
      most: 30,
      error: {
        code: -32000,
        message: 'maximum [from, to] blocks distance: 10000',
        source: 'https://github.com/ponder-sh/ponder/issues/1940',
      },
    },
    state: prunedState,
    lacks: noTraces,
  },
  {
    name: 'NodeReal, public key',
    rate: {
      perSecond: 40,
      error: {
        code: -32005,
        message:
          'You have reached the maximum API usage limit of public. If you need higher throughput, please check out https://meganode.nodereal.io/',
        source: 'https://github.com/bnb-chain/bnb-chain.github.io/issues/38',
      },
    },
    state: prunedState,
    lacks: noTraces,
  },
  {
    name: 'dRPC, free tier',
    range: {
      most: 20,
      error: {
        code: 30,
        message: 'Request timeout on the free tier, please upgrade your tier to the paid one',
        source: 'https://github.com/enviodev/hyperindex/issues/715',
      },
    },
    state: prunedState,
    lacks: noTraces,
  },
  {
    name: 'Chainstack, developer plan',
    range: {
      // The 100 blocks: https://docs.chainstack.com/docs/limits
      most: 100,
      error: {
        code: -32000,
        message: 'Block range limit exceeded. See more details at https://docs.chainstack.com/docs/limits',
        source: 'https://github.com/ponder-sh/ponder packages/utils/src/getLogsRetryHelper.ts',
      },
    },
    state: prunedState,
    lacks: noTraces,
  },
]

/**
 * https://docs.bnbchain.org/bnb-smart-chain/developers/rpc/ says that the method is off at these endpoints, also for one
 * block (https://github.com/bnb-chain/docs-site/issues/621); a reader of logs saw only the error
 * (https://github.com/LimeChain/hashport-validator/issues/785).
 */
export const withoutLogs: Provider = {
  name: 'a public node of BNB Chain',
  lacks: {
    methods: ['eth_getLogs'],
    error: {
      code: -32005,
      message: 'limit exceeded',
      source: 'https://github.com/bnb-chain/bsc/issues/1215',
    },
  },
  state: prunedState,
}

/** Further errors, with what they mean for a call of eth_getLogs. */
/** What go-ethereum 1.17.10 and the node of BNB Smart Chain 1.7.3 said in a run of their own. */
const nodes = [
  ['eth_getLogs', -32602, 'exceed maximum block range 5000', 'range'],
  ['eth_getLogs', -32000, 'exceed maximum block range: 5000', 'range'],
  ['eth_getLogs', -32602, 'block range extends beyond current head block', 'refused'],
  ['eth_getLogs', -32602, 'invalid block range params', 'refused'],
  ['eth_getBalance', -32000, `historical state ${'b5'.repeat(32)} is not available`, 'refused'],
  ['eth_getBalance', -32000, 'header not found', 'refused'],
  ['eth_getTransactionReceipt', -32000, 'transaction indexing is in progress', 'refused'],
  ['eth_sendRawTransaction', -32000, 'already known', 'refused'],
  ['eth_sendRawTransaction', -32000, 'replacement transaction underpriced', 'refused'],
  ['eth_sendRawTransaction', -32000, 'nonce too low: next nonce 1, tx nonce 0', 'refused'],
  ['debug_traceTransaction', -32000, 'transaction not found', 'refused'],
] as const
export const nodeErrors = nodes.map(([method, code, message, means]) => ({ method, code, message, means }))

export const errors: { of: string; means: 'limited' | 'range' | 'refused'; error: ProviderError }[] = [
  {
    of: 'Infura, too many results',
    means: 'range',
    error: {
      code: -32005,
      message: 'query returned more than 10000 results. Try with this block range [0xBDE5F8, 0x102DBCC].',
      source: 'https://github.com/ethers-io/ethers.js/issues/4703',
    },
  },
  {
    of: 'Alchemy, too many results',
    means: 'range',
    error: {
      code: -32602,
      message:
        'Log response size exceeded. You can make eth_getLogs requests with up to a 2K block range and no limit on the response size, or you can request any block range with a cap of 10K logs in the response.',
      source: 'https://github.com/ethers-io/ethers.js/issues/4703',
    },
  },
  {
    of: 'an endpoint of MASQ',
    means: 'range',
    error: {
      code: -32005,
      message: 'eth_getLogs block range too large, range: 855077, max: 3500',
      source: 'https://github.com/MASQ-Project/MASQ-Node-issues/issues/585',
    },
  },
  {
    of: 'Candle',
    means: 'range',
    error: {
      code: -32600,
      message: 'block range too high',
      source: 'https://github.com/AlphaWallet/alpha-wallet-ios/issues/5277',
    },
  },
  {
    of: 'reth',
    means: 'range',
    error: {
      code: -32602,
      message: 'query exceeds max results 20000, retry with the range 25766988-25775072',
      source: 'https://github.com/base/base/issues/2421',
    },
  },
  {
    of: 'Morph',
    means: 'range',
    error: {
      code: -32000,
      message: 'block range is larger than max block range, block range = 5120, max block range = 5000',
      source: 'https://github.com/enviodev/hyperindex/issues/605',
    },
  },
  {
    of: 'Infura, daily limit',
    means: 'limited',
    error: {
      code: -32005,
      message: 'daily request count exceeded, request rate limited',
      source: 'https://github.com/CirclesUBI/circles-myxogastria/issues/54',
    },
  },
  {
    of: 'MegaETH',
    means: 'limited',
    error: {
      code: -32005,
      message: 'Rate limit exceeded',
      source: 'https://github.com/megaeth-labs/documentation/pull/83/files',
    },
  },
  {
    of: 'go-ethereum without old history',
    means: 'refused',
    error: {
      code: 4444,
      message: 'pruned history unavailable',
      source: 'https://github.com/ethereum/go-ethereum/issues/31939',
    },
  },
  {
    of: 'Erigon without old blocks',
    means: 'refused',
    error: {
      code: -32000,
      message: 'block not found 11185311',
      source: 'https://github.com/erigontech/erigon/issues/2770',
    },
  },
]
