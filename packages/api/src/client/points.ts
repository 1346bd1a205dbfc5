import type {
  AdminPointsSeason,
  DailyBoard,
  EpochBoard,
  OwnPoints,
  PointsBoardQuery,
  PointsLedger,
  PointsLedgerQuery,
  PointsSeason,
  SeasonAllocation,
  SeasonChangeRequest,
  SeasonRequest,
} from "../points.ts";
import type {
  EarnLevelConfig,
  PointsLevels,
  PointsLevelsRequest,
  PointsMakers,
  PointsMakersRequest,
  PointsRule,
  PointsRules,
  PointsRulesRequest,
} from "../points-rules.ts";
import { type Call, type Given, type ReadOptions, segment } from "./call.ts";

const BASE = "/api/v1/points";

export const pointsClient = ({ get }: Call) => ({
  levels: (options?: ReadOptions) => get<EarnLevelConfig>(`${BASE}/earn-level-config`, {}, options),
  seasons: (options?: ReadOptions) => get<PointsSeason[]>(`${BASE}/seasons`, {}, options),
  allocation: (seasonId: string, address: string, options?: ReadOptions) =>
    get<SeasonAllocation>(`${BASE}/seasons/${segment(seasonId)}/allocation/${segment(address)}`, {}, options),
  dailyBoard: (query: Given<PointsBoardQuery> = {}, options?: ReadOptions) =>
    get<DailyBoard>(`${BASE}/leaderboard/daily`, query, options),
  epochBoard: (query: Given<PointsBoardQuery> = {}, options?: ReadOptions) =>
    get<EpochBoard>(`${BASE}/leaderboard/epoch`, query, options),
  mine: (options?: ReadOptions) => get<OwnPoints>(`${BASE}/me`, {}, options),
  ledger: (query: Given<PointsLedgerQuery> = {}, options?: ReadOptions) =>
    get<PointsLedger>(`${BASE}/me/ledger`, query, options),
});

const ADMIN = `${BASE}/admin`;

export const pointsAdminClient = ({ get, send }: Call) => ({
  levels: (options?: ReadOptions) => get<PointsLevels>(`${ADMIN}/levels`, {}, options),
  setLevels: (request: Given<PointsLevelsRequest>) => send<PointsLevels>("PUT", `${ADMIN}/levels`, request),
  rules: (options?: ReadOptions) => get<PointsRules>(`${ADMIN}/rules`, {}, options),
  setRules: (request: Given<PointsRulesRequest>) => send<PointsRule>("PUT", `${ADMIN}/rules`, request),
  makers: (options?: ReadOptions) => get<PointsMakers>(`${ADMIN}/makers`, {}, options),
  setMakers: (request: Given<PointsMakersRequest>) => send<PointsMakers>("PUT", `${ADMIN}/makers`, request),
  seasons: (options?: ReadOptions) => get<AdminPointsSeason[]>(`${ADMIN}/seasons`, {}, options),
  createSeason: (request: Given<SeasonRequest>) => send<AdminPointsSeason>("POST", `${ADMIN}/seasons`, request),
  changeSeason: (id: string, request: Given<SeasonChangeRequest>) =>
    send<AdminPointsSeason>("PUT", `${ADMIN}/seasons/${segment(id)}`, request),
  completeSeason: (id: string) => send<AdminPointsSeason>("POST", `${ADMIN}/seasons/${segment(id)}/complete`),
});
