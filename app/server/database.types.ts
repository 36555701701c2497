// Written by supabase/embedded/types.ts from the migrations. Do not edit.

type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[]

export type Database = {
  public: {
    Tables: {
      cz_calls: {
        Row: {
          action_taken: string
          author: string
          captured_at: string | null
          chain_id: number | null
          id: number
          posted_at: string
          recorded_at: string
          revision: number
          statement_sha256: string
          tweet_text: string
          tweet_url: string
          tx_hash: string | null
          verified: boolean
        }
        Insert: {
          action_taken: string
          author: string
          captured_at?: string | null
          chain_id?: number | null
          id?: never
          posted_at: string
          recorded_at?: string
          revision?: number
          statement_sha256?: string
          tweet_text: string
          tweet_url: string
          tx_hash?: string | null
          verified?: boolean
        }
        Update: {
          action_taken?: string
          author?: string
          captured_at?: string | null
          chain_id?: number | null
          id?: never
          posted_at?: string
          recorded_at?: string
          revision?: number
          statement_sha256?: string
          tweet_text?: string
          tweet_url?: string
          tx_hash?: string | null
          verified?: boolean
        }
        Relationships: []
      }
      fundme_pools: {
        Row: {
          created_at: string
          current_amount: number
          description: string
          goal_amount: number | null
          id: string
          status: string
          title: string
          user_id: string
        }
        Insert: {
          created_at?: string
          current_amount?: number
          description?: string
          goal_amount?: number | null
          id?: string
          status?: string
          title: string
          user_id: string
        }
        Update: {
          created_at?: string
          current_amount?: number
          description?: string
          goal_amount?: number | null
          id?: string
          status?: string
          title?: string
          user_id?: string
        }
        Relationships: []
      }
      ledger_heads: {
        Row: {
          hash: string
          id: number
          public_key: string
          seq: number
          signature: string
          signed_at: string
        }
        Insert: {
          hash: string
          id?: never
          public_key: string
          seq: number
          signature: string
          signed_at: string
        }
        Update: {
          hash?: string
          id?: never
          public_key?: string
          seq?: number
          signature?: string
          signed_at?: string
        }
        Relationships: []
      }
      profiles: {
        Row: {
          avatar_path: string | null
          avatar_url: string | null
          created_at: string
          id: string
          proven_wallet_address: string | null
          username: string
          wallet_address: string | null
        }
        Insert: {
          avatar_path?: string | null
          avatar_url?: string | null
          created_at?: string
          id: string
          proven_wallet_address?: string | null
          username?: string
          wallet_address?: string | null
        }
        Update: {
          avatar_path?: string | null
          avatar_url?: string | null
          created_at?: string
          id?: string
          proven_wallet_address?: string | null
          username?: string
          wallet_address?: string | null
        }
        Relationships: []
      }
      reconciliations: {
        Row: {
          block_hash: string
          block_number: number
          block_time: string
          chain_amount: number
          chain_id: number
          id: number
          ledger_amount: number
          taken_at: string
          token_address: string | null
          token_decimals: number
          token_symbol: string
          unlisted: Json
          wallet: string
        }
        Insert: {
          block_hash: string
          block_number: number
          block_time: string
          chain_amount: number
          chain_id: number
          id?: never
          ledger_amount: number
          taken_at?: string
          token_address?: string | null
          token_decimals: number
          token_symbol: string
          unlisted?: Json
          wallet: string
        }
        Update: {
          block_hash?: string
          block_number?: number
          block_time?: string
          chain_amount?: number
          chain_id?: number
          id?: never
          ledger_amount?: number
          taken_at?: string
          token_address?: string | null
          token_decimals?: number
          token_symbol?: string
          unlisted?: Json
          wallet?: string
        }
        Relationships: []
      }
      transaction_checks: {
        Row: {
          block_hash: string | null
          block_number: number | null
          block_time: string | null
          checked_at: string
          confirmations: number | null
          id: number
          reason: string | null
          status: string
          transaction_id: number
        }
        Insert: {
          block_hash?: string | null
          block_number?: number | null
          block_time?: string | null
          checked_at?: string
          confirmations?: number | null
          id?: never
          reason?: string | null
          status: string
          transaction_id: number
        }
        Update: {
          block_hash?: string | null
          block_number?: number | null
          block_time?: string | null
          checked_at?: string
          confirmations?: number | null
          id?: never
          reason?: string | null
          status?: string
          transaction_id?: number
        }
        Relationships: []
      }
      transactions: {
        Row: {
          amount_usd: number | null
          chain_id: number
          direction: string
          from_address: string
          hash: string
          id: number
          note: string | null
          occurred_at: string
          ordinal: number
          pool_slug: string | null
          previous_hash: string
          proof_url: string | null
          rate_source: string | null
          rate_usd: number | null
          recorded_at: string
          revision: number
          seq: number
          to_address: string
          token_address: string | null
          token_amount: number | null
          token_decimals: number | null
          token_symbol: string | null
          tx_hash: string
          type: string
        }
        Insert: {
          amount_usd?: number | null
          chain_id: number
          direction: string
          from_address: string
          hash: string
          id?: never
          note?: string | null
          occurred_at: string
          ordinal: number
          pool_slug?: string | null
          previous_hash: string
          proof_url?: string | null
          rate_source?: string | null
          rate_usd?: number | null
          recorded_at?: string
          revision?: number
          seq: number
          to_address: string
          token_address?: string | null
          token_amount?: number | null
          token_decimals?: number | null
          token_symbol?: string | null
          tx_hash: string
          type: string
        }
        Update: {
          amount_usd?: number | null
          chain_id?: number
          direction?: string
          from_address?: string
          hash?: string
          id?: never
          note?: string | null
          occurred_at?: string
          ordinal?: number
          pool_slug?: string | null
          previous_hash?: string
          proof_url?: string | null
          rate_source?: string | null
          rate_usd?: number | null
          recorded_at?: string
          revision?: number
          seq?: number
          to_address?: string
          token_address?: string | null
          token_amount?: number | null
          token_decimals?: number | null
          token_symbol?: string | null
          tx_hash?: string
          type?: string
        }
        Relationships: []
      }
    }
    Views: {
      ledger_months: {
        Row: {
          direction: string | null
          month: string | null
          pool_slug: string | null
          row_count: number | null
          sum_usd: number | null
          type: string | null
          verified_count: number | null
        }
        Relationships: []
      }
      ledger_status: {
        Row: {
          block_hash: string | null
          block_number: number | null
          block_time: string | null
          chain_id: number | null
          check_id: number | null
          cz_call_id: number | null
          hash: string | null
          recorded_at: string | null
          scanned_at: string | null
          seq: number | null
          signed_seq: number | null
        }
        Relationships: []
      }
      ledger_totals: {
        Row: {
          as_of: string | null
          disputed_count: number | null
          donated_usd: number | null
          dreams_count: number | null
          dreams_funded_usd: number | null
          last_occurred_at: string | null
          pending_count: number | null
          transactions_count: number | null
          treasury_usd: number | null
          unvalued_count: number | null
          verified_count: number | null
        }
        Relationships: []
      }
      pool_totals: {
        Row: {
          disputed_count: number | null
          donations_count: number | null
          last_donation_at: string | null
          pending_count: number | null
          slug: string | null
          total_usd: number | null
          unvalued_count: number | null
        }
        Relationships: []
      }
      published_chain: {
        Row: {
          amount_usd: string | null
          chain_id: number | null
          direction: string | null
          from_address: string | null
          hash: string | null
          id: number | null
          note: string | null
          occurred_at: string | null
          ordinal: number | null
          pool_slug: string | null
          previous_hash: string | null
          proof_url: string | null
          rate_source: string | null
          rate_usd: string | null
          recorded_at: string | null
          revision: number | null
          seq: number | null
          to_address: string | null
          token_address: string | null
          token_amount: string | null
          token_decimals: number | null
          token_symbol: string | null
          tx_hash: string | null
          type: string | null
        }
        Relationships: []
      }
      published_checks: {
        Row: {
          block_hash: string | null
          block_number: number | null
          block_time: string | null
          checked_at: string | null
          confirmations: number | null
          id: number | null
          reason: string | null
          status: string | null
          transaction_id: number | null
        }
        Relationships: []
      }
      published_cz_calls: {
        Row: {
          action_taken: string | null
          answered_at: string | null
          author: string | null
          captured_at: string | null
          chain_id: number | null
          checked_at: string | null
          id: number | null
          posted_at: string | null
          recorded_at: string | null
          revision: number | null
          statement_sha256: string | null
          status: string | null
          transaction_id: number | null
          tweet_text: string | null
          tweet_url: string | null
          tx_hash: string | null
          unreachable_at: string | null
          verified: boolean | null
        }
        Relationships: []
      }
      published_donations: {
        Row: {
          amount_usd: number | null
          chain_id: number | null
          checked_at: string | null
          id: number | null
          note: string | null
          occurred_at: string | null
          pool_slug: string | null
          proof_url: string | null
          recorded_at: string | null
          status: string | null
          to_address: string | null
          token_amount: string | null
          token_decimals: number | null
          token_symbol: string | null
          tx_hash: string | null
          unreachable_at: string | null
        }
        Relationships: []
      }
      published_heads: {
        Row: {
          hash: string | null
          id: number | null
          public_key: string | null
          seq: number | null
          signature: string | null
          signed_at: string | null
        }
        Relationships: []
      }
      published_reconciliations: {
        Row: {
          block_hash: string | null
          block_number: number | null
          block_time: string | null
          chain_amount: string | null
          chain_id: number | null
          difference: string | null
          id: number | null
          ledger_amount: string | null
          taken_at: string | null
          token_address: string | null
          token_decimals: number | null
          token_symbol: string | null
          unlisted: Json | null
          wallet: string | null
        }
        Relationships: []
      }
      published_records: {
        Row: {
          amount_usd: number | null
          chain_id: number | null
          checked_at: string | null
          checks: Json | null
          direction: string | null
          from_address: string | null
          hash: string | null
          id: number | null
          next_id: number | null
          note: string | null
          occurred_at: string | null
          ordinal: number | null
          pool_slug: string | null
          previous_hash: string | null
          previous_id: number | null
          proof_url: string | null
          rate_source: string | null
          rate_usd: string | null
          recorded_at: string | null
          revision: number | null
          revisions: Json | null
          seq: number | null
          signed_seq: number | null
          statements: Json | null
          status: string | null
          to_address: string | null
          token_address: string | null
          token_amount: string | null
          token_decimals: number | null
          token_symbol: string | null
          tx_hash: string | null
          type: string | null
          unreachable_at: string | null
        }
        Relationships: []
      }
      published_transactions: {
        Row: {
          amount_usd: number | null
          block_hash: string | null
          block_number: number | null
          block_time: string | null
          chain_id: number | null
          checked_at: string | null
          confirmations: number | null
          direction: string | null
          from_address: string | null
          hash: string | null
          id: number | null
          note: string | null
          occurred_at: string | null
          ordinal: number | null
          pool_slug: string | null
          previous_hash: string | null
          proof_url: string | null
          rate_source: string | null
          rate_usd: string | null
          reason: string | null
          recorded_at: string | null
          revision: number | null
          seq: number | null
          status: string | null
          to_address: string | null
          token_address: string | null
          token_amount: string | null
          token_decimals: number | null
          token_symbol: string | null
          tx_hash: string | null
          type: string | null
          unreachable_at: string | null
        }
        Relationships: []
      }
    }
    Functions: {
      append_ledger: {
        Args: {
          entries: Json
          scan?: Json
        }
        Returns: Json
      }
      archive_head: {
        Args: {
          head: Json
        }
        Returns: boolean
      }
      ledger_balances: {
        Args: {
          chain: number
          until_block: number
          wallets: Json
        }
        Returns: Json
      }
      record_checks: {
        Args: {
          checks: Json
        }
        Returns: number
      }
      record_reconciliations: {
        Args: {
          entries: Json
        }
        Returns: number
      }
      transactions_due: {
        Args: {
          chain: number
          most: number
          settled_before: string
        }
        Returns: Json
      }
    }
    Enums: { [_ in never]: never }
    CompositeTypes: { [_ in never]: never }
  }
}
