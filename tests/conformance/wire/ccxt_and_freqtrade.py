"""
Speaks as ccxt for Python does with the options of its class `binance` for all kinds of markets, in the order in which freqtrade calls
it at its start and for a first trade: parameters in the order given, timestamp and window first, those of GET and DELETE in the query,
those of POST in a form.
"""

from urllib.parse import urlencode

import requests

from wire import API_KEY, BASE_URL, Refused, now_ms, reply_of, say, sign

SYMBOL = "BTCUSDT"
RECEIVE_WINDOW_MS = 10_000
session = requests.Session()


def public(path, **params):
    reply = session.get(BASE_URL + path, params=params)
    return reply_of(reply.status_code, reply.text)


def signed(method, path, **params):
    text = urlencode({"timestamp": now_ms(), "recvWindow": RECEIVE_WINDOW_MS, **params})
    text += "&signature=" + sign(text)
    headers, url, body = {"X-MBX-APIKEY": API_KEY}, BASE_URL + path, None
    if method in ("GET", "DELETE"):
        url += "?" + text
    else:
        body = text
        headers["Content-Type"] = "application/x-www-form-urlencoded"
    reply = session.request(method, url, headers=headers, data=body)
    return reply_of(reply.status_code, reply.text)


def load_markets():
    """Coins first, then markets of every kind and what can be borrowed, then the symbols that are contracts."""
    coins = {coin["coin"]: coin["networkList"][0] for coin in signed("GET", "/sapi/v1/capital/config/getall")}
    signed("GET", "/sapi/v1/margin/allPairs")
    kinds = [public("/api/v3/exchangeInfo"), public("/fapi/v1/exchangeInfo"), public("/dapi/v1/exchangeInfo")]
    cross, isolated = signed("GET", "/sapi/v1/margin/allPairs"), signed("GET", "/sapi/v1/margin/isolated/allPairs")
    contracts = [one for kind in kinds for one in kind["symbols"] if one["contractType"] == "PERPETUAL"]
    return coins, [one["symbol"] for one in contracts], cross + isolated


def check_account():
    """What freqtrade refuses to start with: hedge mode and several assets as margin."""
    dual = signed("GET", "/fapi/v1/positionSide/dual")["dualSidePosition"]
    several = signed("GET", "/fapi/v1/multiAssetsMargin")["multiAssetsMargin"]
    return [dual, several]


def read_before_trading():
    tiers = signed("GET", "/fapi/v1/leverageBracket")
    account = signed("GET", "/fapi/v3/account")
    positions = signed("GET", "/fapi/v3/positionRisk")
    tickers, books = public("/fapi/v1/ticker/24hr"), public("/fapi/v1/ticker/bookTicker")
    candles = public("/fapi/v1/klines", symbol=SYMBOL, interval="1m", limit=5)
    fees = signed("GET", "/fapi/v1/commissionRate", symbol=SYMBOL)
    return {
        "tiers": len(tiers),
        "wallet": account["totalWalletBalance"],
        "positions": positions,
        "tickers": [len(tickers), len(books)],
        "candle": len(candles[0]) if candles else 12,
        "fee": fees["takerCommissionRate"],
    }


def refusal_of(method, path, **params):
    try:
        signed(method, path, **params)
    except Refused as refused:
        return [refused.status, refused.code, refused.text]
    return None


def trade():
    """Cross margin and a leverage, an order with a stop behind it, and both cancelled."""
    margin = signed("POST", "/fapi/v1/marginType", symbol=SYMBOL, marginType="CROSSED")
    isolated = refusal_of("POST", "/fapi/v1/marginType", symbol=SYMBOL, marginType="ISOLATED")
    signed("POST", "/fapi/v1/leverage", symbol=SYMBOL, leverage=5)
    order = signed(
        "POST", "/fapi/v1/order", symbol=SYMBOL, side="BUY", newOrderRespType="RESULT", type="LIMIT",
        quantity="0.01", price="50000", timeInForce="GTC",
    )
    stop = signed(
        "POST", "/fapi/v1/algoOrder", symbol=SYMBOL, side="SELL", algoType="CONDITIONAL", type="STOP_MARKET",
        quantity="0.01", triggerPrice="40000", workingType="MARK_PRICE",
    )
    opened = signed("GET", "/fapi/v1/openOrders", symbol=SYMBOL)
    stopped = signed("DELETE", "/fapi/v1/algoOrder", algoId=stop["algoId"])
    cancelled = signed("DELETE", "/fapi/v1/order", symbol=SYMBOL, orderId=order["orderId"])
    return {
        "margin": margin["code"],
        "isolated": isolated[:2],
        "orders": [order["status"], stop["algoStatus"], len(opened), cancelled["status"]],
        "stopped": str(stopped["algoId"]) == str(stop["algoId"]),
    }


def transfers():
    deposits = signed("GET", "/sapi/v1/capital/deposit/hisrec", coin="USDT", limit=10)
    withdrawals = signed("GET", "/sapi/v1/capital/withdraw/history", coin="USDT")
    address = signed("GET", "/sapi/v1/capital/deposit/address", coin="USDT")
    return {
        "deposits": [[one["amount"], one["status"], len(one["txId"])] for one in deposits],
        "withdrawals": withdrawals,
        "tag": address["tag"],
    }


coins, symbols, borrowable = load_markets()
say(
    {
        "coins": coins,
        "symbols": symbols,
        "borrowable": borrowable,
        "modes": check_account(),
        **read_before_trading(),
        **trade(),
        **transfers(),
        "absent": [refusal_of("GET", path) for path in ("/sapi/v1/asset/tradeFee", "/api/v3/account", "/dapi/v1/account")],
    }
)
