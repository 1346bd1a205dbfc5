import { textFrames } from "./frames.ts";

/** Takes frames that are ready for the wire, so many of them in one piece. */
export interface Subscriber {
  send(frames: Buffer, count: number): void;
}

/** What a topic is made from. */
export interface TopicSource {
  /** How often `poll` is asked; 0 where messages are published as things happen. */
  readonly period_ms: number;
  /** The messages that are due. */
  poll(topic: Topic): readonly string[];
}

/** Messages that wait for the end of the turn are sent early beyond this. */
const MAX_PENDING_CHARS = 65_536;

/** One flow of messages and who follows it: plain, or wrapped in the name under which it was asked for. */
export class Topic {
  readonly key: string;
  readonly source: TopicSource;
  /** Of the last message, where messages are numbered. */
  seq: number;
  readonly #plain = new Set<Subscriber>();
  readonly #wrapped = new Map<string, Set<Subscriber>>();
  readonly #onPending: (topic: Topic) => void;
  #pending: string[] = [];
  #pendingChars = 0;

  constructor(key: string, source: TopicSource, seq: number, onPending: (topic: Topic) => void) {
    this.key = key;
    this.source = source;
    this.seq = seq;
    this.#onPending = onPending;
  }

  get isFollowed(): boolean {
    return this.#plain.size > 0 || this.#wrapped.size > 0;
  }

  /** What was published before goes to those who were there before. */
  follow(subscriber: Subscriber, wrapper: string | undefined): void {
    this.flush();
    if (wrapper === undefined) {
      this.#plain.add(subscriber);
      return;
    }
    const followers = this.#wrapped.get(wrapper);
    if (followers === undefined) this.#wrapped.set(wrapper, new Set([subscriber]));
    else followers.add(subscriber);
  }

  leave(subscriber: Subscriber, wrapper: string | undefined): void {
    if (wrapper === undefined) {
      this.#plain.delete(subscriber);
      return;
    }
    const followers = this.#wrapped.get(wrapper);
    if (followers?.delete(subscriber) === true && followers.size === 0) this.#wrapped.delete(wrapper);
  }

  /** Sent with everything else of this turn. */
  publish(text: string): void {
    if (this.#pending.length === 0) this.#onPending(this);
    this.#pending.push(text);
    this.#pendingChars += text.length;
    if (this.#pendingChars > MAX_PENDING_CHARS) this.flush();
  }

  flush(): void {
    if (this.#pending.length === 0) return;
    const texts = this.#pending;
    this.#pending = [];
    this.#pendingChars = 0;
    if (this.#plain.size > 0) sendAll(this.#plain, textFrames(texts), texts.length);
    for (const [name, followers] of this.#wrapped) {
      const opening = `{"stream":${JSON.stringify(name)},"data":`;
      sendAll(followers, textFrames(texts.map((text) => `${opening}${text}}`)), texts.length);
    }
  }
}

function sendAll(subscribers: Iterable<Subscriber>, frames: Buffer, count: number): void {
  for (const subscriber of subscribers) subscriber.send(frames, count);
}

/**
 * All topics that somebody follows. A topic is opened by its first follower and closed with its last, so whoever
 * publishes looks it up first and builds nothing for nobody.
 */
export class Hub {
  readonly #topics = new Map<string, Topic>();
  readonly #polled = new Set<Topic>();
  #dirty: Topic[] = [];
  #flushing: NodeJS.Immediate | undefined;
  /** No topic was ever numbered higher: one that is opened again goes on from here. */
  #highestSeq = 0;

  find(key: string): Topic | undefined {
    return this.#topics.get(key);
  }

  get count(): number {
    return this.#topics.size;
  }

  follow(key: string, makeSource: () => TopicSource, subscriber: Subscriber, wrapper?: string): Topic {
    const topic = this.#topics.get(key) ?? this.#open(key, makeSource());
    topic.follow(subscriber, wrapper);
    return topic;
  }

  leave(topic: Topic, subscriber: Subscriber, wrapper?: string): void {
    topic.leave(subscriber, wrapper);
    if (topic.isFollowed) return;
    this.#topics.delete(topic.key);
    this.#polled.delete(topic);
    this.#highestSeq = Math.max(this.#highestSeq, topic.seq);
  }

  /** Asks the topics whose time has come; `elapsed_ms` counts from the start in steps of the pulse. */
  poll(elapsed_ms: number): void {
    for (const topic of this.#polled) {
      if (elapsed_ms % topic.source.period_ms !== 0) continue;
      for (const text of topic.source.poll(topic)) topic.publish(text);
    }
  }

  flush(): void {
    clearImmediate(this.#flushing);
    this.#flushing = undefined;
    const dirty = this.#dirty;
    this.#dirty = [];
    for (const topic of dirty) topic.flush();
  }

  #open(key: string, source: TopicSource): Topic {
    const topic = new Topic(key, source, this.#highestSeq, (pending) => this.#await(pending));
    this.#topics.set(key, topic);
    if (source.period_ms > 0) this.#polled.add(topic);
    return topic;
  }

  /** Commands are applied in batches: at the end of the turn everything they led to goes out in one write per socket. */
  #await(topic: Topic): void {
    this.#dirty.push(topic);
    this.#flushing ??= setImmediate(() => this.flush());
  }
}
