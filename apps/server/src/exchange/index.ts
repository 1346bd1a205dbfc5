export { cursorKey } from "./account/ports.ts";
export { AccountRefusal, engineRefusal, sendAccountError } from "./account/refusals.ts";
export { headerText, walletOf } from "./account/requests.ts";
export { PREFIXES, registerAccountRoutes } from "./account/routes.ts";
export { AccountSettings } from "./accounts/account-settings.ts";
export { AccountDirectory, type OpenedAccount } from "./accounts/directory.ts";
export { forgetKept, KeptSettings } from "./accounts/kept-settings.ts";
export { exchangeAccountMigrations } from "./accounts/migrations.ts";
export { type EngineMoment, type Finding, InvariantChecks } from "./admin/invariants.ts";
export { MarketAdmin } from "./admin/market-admin.ts";
export { RiskWatch } from "./admin/risk-watch.ts";
export { registerExchangeAdminRoutes } from "./admin/routes.ts";
export { RulesAdmin } from "./admin/rules-admin.ts";
export { startEngineNode } from "./cluster/engine-node.ts";
export type { FollowingExchange } from "./cluster/following-exchange.ts";
export { openFollower } from "./cluster/node.ts";
export { Standby } from "./cluster/standby.ts";
export { Downloads } from "./downloads/downloads.ts";
export { downloadsJob } from "./downloads/jobs.ts";
export { downloadMigrations } from "./downloads/migrations.ts";
export { createFapi, type Fapi } from "./fapi/fapi.ts";
export { Markets } from "./fapi/markets.ts";
export { RequestDoor } from "./fapi/sockets/request-door.ts";
export { countedOf, type FeeSkip, hasVolume } from "./fee-base.ts";
export { beginExchange, FUND_SEED_micros } from "./genesis.ts";
export { History } from "./history/history.ts";
export { equitySnapshotJob, orderPruneJob } from "./history/jobs.ts";
export { historyRetentionJob } from "./history/retention.ts";
export { beforeDay, removeRows, rowsBefore } from "./history/row-removal.ts";
export {
  checkDatabase,
  checkNotBehind,
  checkReferences,
  checkWallets,
  DatabaseMismatch,
  outboxEnds,
} from "./host/database-check.ts";
export { type Applied, appliedOf, type Exchange, ExchangeUnavailable, type Unstamped } from "./host/exchange.ts";
export { LoggedExchange } from "./host/logged-exchange.ts";
export { deliverTo, isSureOf } from "./host/outbox-delivery.ts";
export { outboxPruneJob } from "./host/outbox-job.ts";
export { type JournalDisk, type Recovered, recover } from "./journal/recovery.ts";
export { rehearseAside } from "./journal/rehearse-rules.ts";
export { openSegmentReader, replaySegments } from "./journal/replay.ts";
export { replayAgrees, reread } from "./journal/rereading.ts";
export type { SegmentRetention } from "./journal/segment-retention.ts";
export {
  engineFromNewest,
  filesOfSnapshot,
  listSnapshots,
  type SnapshotFile,
  snapshotFolder,
} from "./journal/snapshots.ts";
export { Snapshotter } from "./journal/snapshotter.ts";
export { Wallets } from "./journal/wallets.ts";
export { marketHistoryFrom } from "./market-data/from-history.ts";
export { MarketData } from "./market-data/market-data.ts";
export { readSeeds, seedHistory } from "./market-data/seeds.ts";
export { CommandMetrics } from "./metrics/command-metrics.ts";
export { watchOutbox, watchTables } from "./metrics/database-metrics.ts";
export { watchJournal, watchProjector } from "./metrics/durability-metrics.ts";
export { watchAccounts, watchMarkets } from "./metrics/market-metrics.ts";
export { watchStreams } from "./metrics/stream-metrics.ts";
export { registerPriceAdminRoutes } from "./prices/admin-routes.ts";
export { createPrices } from "./prices/create.ts";
export { registerDevPriceRoute } from "./prices/dev-routes.ts";
export { createPriceJobs } from "./prices/jobs.ts";
export type { Prices } from "./prices/prices.ts";
export { pricesCheck } from "./prices/prices-check.ts";
export { createPriceStore, priceMigrations } from "./prices/store.ts";
export { systemTimers, type Timers } from "./prices/timers.ts";
export { type Columns, ProjectionFault, RowInserter, type RowOf } from "./projector/columns.ts";
export { readCursor } from "./projector/cursor.ts";
export { projectorMigrations } from "./projector/migrations.ts";
export { PROJECTED_TOPIC, ProjectionFollower } from "./projector/projection-follower.ts";
export { batchesFor, type ProjectedBatch, type ProjectionListener, Projector } from "./projector/projector.ts";
export type { Reread } from "./projector/queue.ts";
export { projectorCheck } from "./projector/readiness.ts";
export { projectionDb } from "./projector/tables.ts";
export { type WrittenBeforeOptions, waitUntilWritten } from "./projector/written-before.ts";
export type {
  DepositQuery,
  DepositRecord,
  TransferQuery,
  Transfers,
  WithdrawalQuery,
  WithdrawalRecord,
  WithdrawalState,
} from "./related/ports.ts";
export { registerRelatedRoutes } from "./related/routes.ts";
export { marketSampleJob } from "./statistics/jobs.ts";
export { statisticsMigrations } from "./statistics/migrations.ts";
export { createEventStore } from "./streams/event-store.ts";
export { createFollowedEventStore, nothingToRebuild } from "./streams/followed-event-store.ts";
export { privateEventsJob } from "./streams/jobs.ts";
export { createListenKeyStore } from "./streams/listen-key-store.ts";
export { ListenKeys } from "./streams/listen-keys.ts";
export { streamMigrations } from "./streams/migrations.ts";
export type { AccountBonusFact, BonusFact } from "./streams/private-facts.ts";
export { rebuildFrom } from "./streams/rebuilt-events.ts";
export { StreamServer } from "./streams/stream-server.ts";
export { Streams, type StreamsOptions } from "./streams/streams.ts";
export { createTokenAccess } from "./streams/token-access.ts";
