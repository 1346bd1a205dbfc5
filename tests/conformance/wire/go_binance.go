// Speaks as go-binance's futures package does: values sorted by name, those of POST, PUT and DELETE in a form, timestamp and
// signature in the query, and one socket per stream.
package main

import (
	"bufio"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"
)

const (
	symbol   = "BTCUSDT"
	patience = time.Minute
)

var baseURL, apiKey, apiSecret = os.Getenv("BASE_URL"), os.Getenv("API_KEY"), os.Getenv("API_SECRET")

type fields map[string]interface{}

// The typed client's error: a code that is no number cannot be read into it.
type refusal struct {
	Code int64  `json:"code"`
	Msg  string `json:"msg"`
}

type security int

const (
	public security = iota
	keyed
	signed
)

func fail(step string, err error) {
	fmt.Fprintln(os.Stderr, step, err)
	os.Exit(1)
}

func signature(text string) string {
	mac := hmac.New(sha256.New, []byte(apiSecret))
	mac.Write([]byte(text))
	return hex.EncodeToString(mac.Sum(nil))
}

func request(level security, method, path string, params url.Values) *http.Request {
	query, form := url.Values{}, url.Values{}
	if method == http.MethodGet {
		query = params
	} else {
		form = params
	}
	if level == signed {
		query.Set("timestamp", strconv.FormatInt(time.Now().UnixNano()/int64(time.Millisecond), 10))
	}
	text, body := query.Encode(), form.Encode()
	if level == signed {
		text += "&signature=" + signature(text+body)
	}
	address := baseURL + path
	if text != "" {
		address += "?" + text
	}
	made, err := http.NewRequest(method, address, strings.NewReader(body))
	if err != nil {
		fail(path, err)
	}
	if body != "" {
		made.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	if level != public {
		made.Header.Set("X-MBX-APIKEY", apiKey)
	}
	return made
}

// Reads the reply into `into`, or the refusal.
func call(level security, method, path string, params url.Values, into interface{}) *refusal {
	reply, err := http.DefaultClient.Do(request(level, method, path, params))
	if err != nil {
		fail(path, err)
	}
	defer reply.Body.Close()
	data, err := io.ReadAll(reply.Body)
	if err != nil {
		fail(path, err)
	}
	if reply.StatusCode >= http.StatusBadRequest {
		refused := new(refusal)
		if err := json.Unmarshal(data, refused); err != nil {
			fail(path+" "+string(data), err)
		}
		return refused
	}
	if err := json.Unmarshal(data, into); err != nil {
		fail(path+" "+string(data), err)
	}
	return nil
}

func must(level security, method, path string, params url.Values) fields {
	got := fields{}
	if refused := call(level, method, path, params, &got); refused != nil {
		fail(path, fmt.Errorf("%d %s", refused.Code, refused.Msg))
	}
	return got
}

func values(pairs ...string) url.Values {
	list := url.Values{}
	for at := 0; at < len(pairs); at += 2 {
		list.Set(pairs[at], pairs[at+1])
	}
	return list
}

// A socket that only reads. Frames of a server are not masked.
func openStream(name string) *bufio.Reader {
	host := strings.TrimPrefix(baseURL, "http://")
	connection, err := net.Dial("tcp", host)
	if err != nil {
		fail(name, err)
	}
	connection.SetDeadline(time.Now().Add(patience))
	nonce := make([]byte, 16)
	if _, err := rand.Read(nonce); err != nil {
		fail(name, err)
	}
	fmt.Fprintf(connection, "GET /ws/%s HTTP/1.1\r\nHost: %s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"+
		"Sec-WebSocket-Key: %s\r\nSec-WebSocket-Version: 13\r\n\r\n", name, host, base64.StdEncoding.EncodeToString(nonce))
	reader := bufio.NewReader(connection)
	reply, err := http.ReadResponse(reader, nil)
	if err != nil {
		fail(name, err)
	}
	if reply.StatusCode != http.StatusSwitchingProtocols {
		fail(name, fmt.Errorf("status %d", reply.StatusCode))
	}
	return reader
}

func nextMessage(stream *bufio.Reader) fields {
	for {
		var head [2]byte
		if _, err := io.ReadFull(stream, head[:]); err != nil {
			fail("frame", err)
		}
		length := uint64(head[1] & 0x7f)
		if length >= 126 {
			size := make([]byte, map[uint64]int{126: 2, 127: 8}[length])
			if _, err := io.ReadFull(stream, size); err != nil {
				fail("frame", err)
			}
			length = binary.BigEndian.Uint64(append(make([]byte, 8-len(size)), size...))
		}
		data := make([]byte, length)
		if _, err := io.ReadFull(stream, data); err != nil {
			fail("frame", err)
		}
		const text = 1
		if head[0]&0x0f != text {
			continue
		}
		message := fields{}
		if err := json.Unmarshal(data, &message); err != nil {
			fail("message", err)
		}
		return message
	}
}

func main() {
	must(public, "GET", "/fapi/v1/ping", nil)
	clock := must(public, "GET", "/fapi/v1/time", nil)
	info := struct {
		Symbols []struct {
			Symbol  string                   `json:"symbol"`
			Filters []map[string]interface{} `json:"filters"`
		} `json:"symbols"`
	}{}
	call(public, "GET", "/fapi/v1/exchangeInfo", nil, &info)
	account := must(signed, "GET", "/fapi/v2/account", values("recvWindow", "5000"))
	risks := []fields{}
	call(signed, "GET", "/fapi/v3/positionRisk", url.Values{}, &risks)
	leverage := must(signed, "POST", "/fapi/v1/leverage", values("symbol", symbol, "leverage", "10"))
	margin := must(signed, "POST", "/fapi/v1/marginType", values("symbol", symbol, "marginType", "CROSSED"))
	order := must(signed, "POST", "/fapi/v1/order", values("symbol", symbol, "side", "BUY", "type", "LIMIT",
		"timeInForce", "GTC", "quantity", "0.01", "price", "50000", "newOrderRespType", "ACK"))
	orderID := strconv.FormatFloat(order["orderId"].(float64), 'f', -1, 64)
	found := must(signed, "GET", "/fapi/v1/order", values("symbol", symbol, "orderId", orderID))
	cancelled := must(signed, "DELETE", "/fapi/v1/order", values("symbol", symbol, "orderId", orderID))
	listenKey := must(keyed, "POST", "/fapi/v1/listenKey", nil)["listenKey"].(string)
	user := openStream(listenKey)
	must(signed, "POST", "/fapi/v1/order", values("symbol", symbol, "side", "BUY", "type", "MARKET", "quantity", "0.01"))
	event := fields{}
	for event["e"] != "ACCOUNT_UPDATE" {
		event = nextMessage(user)
	}
	must(keyed, "PUT", "/fapi/v1/listenKey", values("listenKey", listenKey))
	mark := nextMessage(openStream("btcusdt@markPrice@1s"))
	absent := call(signed, "GET", "/sapi/v1/asset/tradeFee", url.Values{}, &fields{})
	wallet := call(signed, "GET", "/api/v3/account", url.Values{}, &fields{})
	report := fields{
		"clock": clock["serverTime"], "symbols": len(info.Symbols), "filters": len(info.Symbols[0].Filters),
		"wallet": account["totalWalletBalance"], "positions": len(risks), "leverage": leverage["leverage"],
		"margin": margin["code"], "orders": []interface{}{order["status"], found["status"], cancelled["status"]},
		"account": event["a"].(map[string]interface{})["m"], "mark": mark["s"],
		"absent": []int64{absent.Code, wallet.Code},
	}
	if err := json.NewEncoder(os.Stdout).Encode(report); err != nil {
		fail("report", err)
	}
}
