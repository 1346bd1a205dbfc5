"""
Speaks as hummingbot's connector `binance_perpetual` does: parameters in the order given with timestamp and signature behind them, those
of POST in a form and all others in the query, subscriptions on one socket by three requests, and user data on another.
"""

import asyncio
import json
from urllib.parse import urlencode

import aiohttp
import websockets

from wire import API_KEY, BASE_URL, STREAM_URL, Refused, now_ms, reply_of, say, sign

SYMBOL = "BTCUSDT"
CLIENT_ID = "x-nbQe1H39BBCUT64a1b2c3d4e5f6071"
PATIENCE_S = 60
STREAMS = {1: "depth", 2: "aggTrade", 3: "markPrice"}


class Connector:
    def __init__(self, session):
        self.session = session

    async def call(self, method, path, is_signed=False, headers=None, **params):
        if is_signed:
            params["timestamp"] = now_ms()
            params["signature"] = sign(urlencode(params))
            headers = {"X-MBX-APIKEY": API_KEY}
        place = {"data": params or None} if method == "POST" else {"params": params}
        async with self.session.request(method, f"{BASE_URL}/fapi/{path}", headers=headers, **place) as reply:
            return reply_of(reply.status, await reply.text())

    async def signed(self, method, path, **params):
        return await self.call(method, path, True, **params)


async def next_of(socket, wanted):
    while True:
        message = json.loads(await asyncio.wait_for(socket.recv(), PATIENCE_S))
        if wanted(message):
            return message


async def start(connector):
    """Connected, with rules of its markets, one-way positions, balances and positions."""
    await connector.call("GET", "v1/ping")
    await connector.call("GET", "v1/time")
    info = await connector.call("GET", "v1/exchangeInfo")
    rules = [one for one in info["symbols"] if one["status"] == "TRADING" and one["contractType"] == "PERPETUAL"]
    limits = {limit["filterType"]: limit for limit in rules[0]["filters"]}
    funding = await connector.call("GET", "v1/premiumIndex", symbol=SYMBOL)
    mode = await connector.signed("POST", "v1/positionSide/dual", dualSidePosition="false")
    is_hedged = await connector.signed("GET", "v1/positionSide/dual")
    leverage = await connector.signed("POST", "v1/leverage", symbol=SYMBOL, leverage=4)
    account = await connector.signed("GET", "v2/account")
    positions = await connector.signed("GET", "v2/positionRisk")
    return {
        "markets": [one["symbol"] for one in rules],
        "steps": [limits["PRICE_FILTER"]["tickSize"], limits["LOT_SIZE"]["stepSize"], limits["MIN_NOTIONAL"]["notional"]],
        "funding": sorted(name for name in ("indexPrice", "markPrice", "nextFundingTime", "lastFundingRate") if name in funding),
        "modes": [mode["code"], is_hedged["dualSidePosition"], leverage["leverage"]],
        "assets": [[asset["asset"], asset["availableBalance"]] for asset in account["assets"]],
        "positions": [one["symbol"] for one in positions if float(one["positionAmt"]) != 0],
    }


async def follow(market_socket):
    for number, stream in STREAMS.items():
        request = {"method": "SUBSCRIBE", "params": [f"{SYMBOL.lower()}@{stream}"], "id": number}
        await market_socket.send(json.dumps(request))
        await next_of(market_socket, lambda message: message == {"result": None, "id": number})


async def trade(connector, market_socket, user_socket):
    """A maker's order that is seen in the book and by its owner, and is cancelled by its client id."""
    await connector.signed(
        "POST", "v1/order", symbol=SYMBOL, side="BUY", quantity="0.010", type="LIMIT", newClientOrderId=CLIENT_ID,
        price="59000.0", timeInForce="GTX",
    )
    depth = await next_of(market_socket, lambda message: message.get("stream") == "btcusdt@depth" and message["data"]["b"])
    mark = await next_of(market_socket, lambda message: message.get("stream") == "btcusdt@markPrice")
    placed = await next_of(user_socket, lambda message: message["e"] == "ORDER_TRADE_UPDATE")
    cancelled = await connector.signed("DELETE", "v1/order", origClientOrderId=CLIENT_ID, symbol=SYMBOL)
    found = await connector.signed("GET", "v1/order", symbol=SYMBOL, origClientOrderId=CLIENT_ID)
    try:
        await connector.signed("DELETE", "v1/order", origClientOrderId=CLIENT_ID, symbol=SYMBOL)
        again = None
    except Refused as refused:
        again = [refused.code, refused.text]
    return {
        "book": depth["data"]["b"],
        "mark": mark["data"]["s"],
        "told": [placed["o"]["c"], placed["o"]["X"]],
        "orders": [cancelled["status"], found["status"]],
        "again": again,
    }


async def main():
    async with aiohttp.ClientSession() as session:
        connector = Connector(session)
        started = await start(connector)
        key = (await connector.call("POST", "v1/listenKey", headers={"X-MBX-APIKEY": API_KEY}))["listenKey"]
        async with websockets.connect(f"{STREAM_URL}/stream") as market_socket:
            async with websockets.connect(f"{STREAM_URL}/ws/{key}") as user_socket:
                await follow(market_socket)
                traded = await trade(connector, market_socket, user_socket)
        kept = await connector.signed("PUT", "v1/listenKey", listenKey=key)
        say({**started, **traded, "kept": kept["listenKey"] == key})


asyncio.run(main())
