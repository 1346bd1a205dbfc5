"""
Speaks as python-binance's AsyncClient and BinanceSocketManager do: parameters sorted by name with the signature last, those of GET
in the query, those of POST and DELETE in a form, and every socket of a market as a combined stream.
"""

import asyncio
import json
from urllib.parse import quote

import aiohttp
import websockets
import yarl

from wire import API_KEY, BASE_URL, STREAM_URL, Refused, now_ms, reply_of, say, sign

SYMBOL = "BTCUSDT"
HEADERS = {"Accept": "application/json", "Content-Type": "application/json", "X-MBX-APIKEY": API_KEY}
FORM = {"Content-Type": "application/x-www-form-urlencoded"}
RECEIVE_WINDOW_MS = 10_000
PATIENCE_S = 60


class Client:
    def __init__(self, session):
        self.session = session
        self.offset_ms = 0

    async def start(self):
        await self.call("get", "/api/v3/ping")
        server = await self.call("get", "/api/v3/time")
        self.offset_ms = server["serverTime"] - now_ms()

    def _pairs(self, params, is_signed):
        fields = {name: str(value) for name, value in params.items() if value is not None}
        if is_signed:
            fields["timestamp"] = str(now_ms(self.offset_ms))
            fields["recvWindow"] = str(RECEIVE_WINDOW_MS)
        pairs = sorted(fields.items())
        if is_signed:
            text = "&".join(f"{name}={quote(value) if name == 'symbol' else value}" for name, value in pairs)
            pairs.append(("signature", sign(text)))
        return pairs

    async def call(self, method, path, is_signed=False, **params):
        pairs = self._pairs(params, is_signed)
        url, body, headers = BASE_URL + path, None, {}
        if method == "get":
            if pairs:
                url += "?" + "&".join(f"{name}={value}" for name, value in pairs)
        else:
            headers, body = FORM, pairs
        request = getattr(self.session, method)
        async with request(yarl.URL(url, encoded=True), headers=headers, data=body) as reply:
            return reply_of(reply.status, await reply.text())

    async def signed(self, method, path, **params):
        return await self.call(method, path, True, **params)


async def until(socket, wanted):
    """The first message that `wanted` takes, with those before it."""
    seen = []
    while True:
        message = json.loads(await asyncio.wait_for(socket.recv(), PATIENCE_S))
        seen.append(message)
        if wanted(message):
            return seen


async def refusal_of(call):
    try:
        await call
    except Refused as refused:
        return [refused.status, refused.code, refused.text]
    return None


async def trade(client, market_socket, user_socket):
    """A limit order that rests and is cancelled, then a market order that meets the test's own."""
    resting = await client.signed(
        "post", "/fapi/v1/order", symbol=SYMBOL, side="BUY", type="LIMIT", timeInForce="GTC", quantity=0.01,
        price=50_000, newClientOrderId="x-Cb7ytekJ0123456789abcdef",
    )
    opened = await client.signed("get", "/fapi/v1/openOrders", symbol=SYMBOL)
    cancelled = await client.signed("delete", "/fapi/v1/order", symbol=SYMBOL, orderId=resting["orderId"])
    await client.signed("post", "/fapi/v1/order", symbol=SYMBOL, side="BUY", type="MARKET", quantity=0.01)
    told = await until(user_socket, lambda message: message["e"] == "ACCOUNT_UPDATE")
    candles = await until(market_socket, lambda message: float(message["data"]["k"]["v"]) > 0)
    [position] = await client.signed("get", "/fapi/v3/positionRisk", symbol=SYMBOL)
    candle = candles[-1]
    return {
        "orders": [resting["status"], len(opened), cancelled["status"]],
        "events": [message["e"] for message in told],
        "breakEven": [told[-1]["a"]["P"][0]["bep"], position["breakEvenPrice"]],
        "candle": [candle["stream"], candle["data"]["e"], candle["data"]["ps"], candle["data"]["ct"], candle["data"]["k"]["i"]],
    }


async def main():
    async with aiohttp.ClientSession(headers=HEADERS) as session:
        client = Client(session)
        await client.start()
        info = await client.call("get", "/fapi/v1/exchangeInfo")
        [balance] = await client.signed("get", "/fapi/v3/balance")
        leverage = await client.signed("post", "/fapi/v1/leverage", symbol=SYMBOL, leverage=10)
        margin = await client.signed("post", "/fapi/v1/marginType", symbol=SYMBOL, marginType="CROSSED")
        coins = await client.signed("get", "/sapi/v1/capital/config/getall")
        status = await client.call("get", "/sapi/v1/system/status")
        absent = await refusal_of(client.signed("get", "/sapi/v1/asset/tradeFee"))
        key = (await client.call("post", "/fapi/v1/listenKey"))["listenKey"]
        candles = f"{STREAM_URL}/stream?streams={SYMBOL.lower()}_perpetual@continuousKline_1m"
        async with websockets.connect(candles) as market_socket:
            async with websockets.connect(f"{STREAM_URL}/ws/{key}") as user_socket:
                traded = await trade(client, market_socket, user_socket)
        await client.call("put", "/fapi/v1/listenKey", listenKey=key)
        say(
            {
                "symbols": [one["symbol"] for one in info["symbols"]],
                "balance": balance["balance"],
                "leverage": leverage["leverage"],
                "margin": margin["code"],
                "coins": [coin["coin"] for coin in coins],
                "status": status["status"],
                "absent": absent,
                **traded,
            }
        )


asyncio.run(main())
