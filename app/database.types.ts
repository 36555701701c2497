// Written by supabase/types.ts from the migrations. Do not edit.

export type Database = {
  public: {
    Tables: {
      cz_calls: {
        Row: {
          action_taken: string
          author: string
          chain_id: number | null
          id: number
          posted_at: string
          recorded_at: string
          revision: number
          tweet_text: string
          tweet_url: string
          tx_hash: string | null
          verified: boolean
        }
        Insert: {
          action_taken: string
          author: string
          chain_id?: number | null
          id?: never
          posted_at: string
          recorded_at?: string
          revision?: number
          tweet_text: string
          tweet_url: string
          tx_hash?: string | null
          verified?: boolean
        }
        Update: {
          action_taken?: string
          author?: string
          chain_id?: number | null
          id?: never
          posted_at?: string
          recorded_at?: string
          revision?: number
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
      profiles: {
        Row: {
          avatar_url: string | null
          created_at: string
          id: string
          proven_wallet_address: string | null
          username: string
          wallet_address: string | null
        }
        Insert: {
          avatar_url?: string | null
          created_at?: string
          id: string
          proven_wallet_address?: string | null
          username?: string
          wallet_address?: string | null
        }
        Update: {
          avatar_url?: string | null
          created_at?: string
          id?: string
          proven_wallet_address?: string | null
          username?: string
          wallet_address?: string | null
        }
        Relationships: []
      }
      transactions: {
        Row: {
          amount_usd: number | null
          chain_id: number
          direction: string
          from_address: string
          id: number
          note: string | null
          occurred_at: string
          ordinal: number
          pool_slug: string | null
          proof_url: string | null
          rate_source: string | null
          rate_usd: number | null
          recorded_at: string
          revision: number
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
          id?: never
          note?: string | null
          occurred_at: string
          ordinal: number
          pool_slug?: string | null
          proof_url?: string | null
          rate_source?: string | null
          rate_usd?: number | null
          recorded_at?: string
          revision?: number
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
          id?: never
          note?: string | null
          occurred_at?: string
          ordinal?: number
          pool_slug?: string | null
          proof_url?: string | null
          rate_source?: string | null
          rate_usd?: number | null
          recorded_at?: string
          revision?: number
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
      ledger_totals: {
        Row: {
          as_of: string | null
          donated_usd: number | null
          dreams_count: number | null
          dreams_funded_usd: number | null
          last_occurred_at: string | null
          transactions_count: number | null
          treasury_usd: number | null
          unvalued_count: number | null
        }
        Relationships: []
      }
      pool_totals: {
        Row: {
          donations_count: number | null
          last_donation_at: string | null
          slug: string | null
          total_usd: number | null
          unvalued_count: number | null
        }
        Relationships: []
      }
      published_cz_calls: {
        Row: {
          action_taken: string | null
          author: string | null
          chain_id: number | null
          id: number | null
          posted_at: string | null
          recorded_at: string | null
          revision: number | null
          tweet_text: string | null
          tweet_url: string | null
          tx_hash: string | null
          verified: boolean | null
        }
        Relationships: []
      }
      published_donations: {
        Row: {
          amount_usd: number | null
          chain_id: number | null
          id: number | null
          note: string | null
          occurred_at: string | null
          pool_slug: string | null
          proof_url: string | null
          recorded_at: string | null
          to_address: string | null
          token_amount: string | null
          token_decimals: number | null
          token_symbol: string | null
          tx_hash: string | null
        }
        Relationships: []
      }
      published_transactions: {
        Row: {
          amount_usd: number | null
          chain_id: number | null
          direction: string | null
          from_address: string | null
          id: number | null
          note: string | null
          occurred_at: string | null
          ordinal: number | null
          pool_slug: string | null
          proof_url: string | null
          rate_source: string | null
          rate_usd: string | null
          recorded_at: string | null
          revision: number | null
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
    }
    Functions: { [_ in never]: never }
    Enums: { [_ in never]: never }
    CompositeTypes: { [_ in never]: never }
  }
}
