import { textFrames } from "./frames.ts";

/** Receives finished frames, `count` of them in one buffer. */
export interface Subscriber {
  send(frames: Buffer, count: number): void;
}

/** Where the messages of a topic come from. */
export interface TopicSource {
  /** How often `poll` is called; 0 if messages are published as events happen. */
  readonly period_ms: number;
  /** The messages to send now. */
  poll(topic: Topic): readonly string[];
}

/** Above this, pending messages are sent before the end of the turn. */
const MAX_PENDING_CHARS = 65_536;

/** One sequence of messages with its subscribers: plain, or wrapped in the name of the subscription. */
export class Topic {
  readonly key: string;
  readonly source: TopicSource;
  /** The number of the last message, if messages are numbered. */
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

  /** Flushes first, so that a new subscriber gets no earlier messages. */
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

  /** Queues a message until the end of the turn. */
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
 * All topics with subscribers. The first subscriber opens a topic and the last one closes it, so that publishers look
 * it up first and build no message without subscribers.
 */
export class Hub {
  readonly #topics = new Map<string, Topic>();
  readonly #polled = new Set<Topic>();
  #dirty: Topic[] = [];
  #flushing: NodeJS.Immediate | undefined;
  /** No topic has had a higher number; a topic that is opened again continues from here. */
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

  /** Polls the topics that are due; `elapsed_ms` counts from the start in steps of the pulse. */
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

  /** Commands are applied in batches; at the end of the turn their messages go out in one write per socket. */
  #await(topic: Topic): void {
    this.#dirty.push(topic);
    this.#flushing ??= setImmediate(() => this.flush());
  }
}
