import type { ByteReader } from "./byte-reader.ts";
import type { ByteWriter } from "./byte-writer.ts";
import { CodecFault } from "./codec-fault.ts";
import { compiled } from "./compiled.ts";

/** How values of one type are written and read. */
export interface ValueForm<Value> {
  write(writer: ByteWriter, value: Value): void;
  read(reader: ByteReader): Value;
}

/** The form of a field: a method that `ByteWriter` and `ByteReader` have by that name, or a form of its own. */
type FormOf<Value> =
  | ValueForm<Value>
  | ([Value] extends [boolean]
      ? "flag"
      : [Value] extends [string]
        ? "text"
        : [Value] extends [number]
          ? "number" | "signed"
          : never);

/** The fields of a record and their forms. The order of the keys is the order of the bytes. */
export type FieldTable<Row> = { readonly [Field in keyof Row]: FormOf<Row[Field]> };

/** The return type of a column method of `Owner`. */
type ColumnOf<Owner, Name extends keyof Owner> = Owner[Name] extends (at: number) => infer Value ? Value : never;
type ColumnTable<Owner, Name extends keyof Owner> = { readonly [Column in Name]: FormOf<ColumnOf<Owner, Column>> };
type RowOf<Owner, Name extends keyof Owner> = { readonly [Column in Name]: ColumnOf<Owner, Column> };
/** An owner with a method `set…` for each field. */
type SettersOf<Row> = {
  [Name in keyof Row & string as `set${Capitalize<Name>}`]: (at: number, value: Row[Name]) => void;
};

/** Records that an owner keeps in columns, with one method per column. */
export interface ColumnsForm<Owner, Row> {
  write(writer: ByteWriter, owner: Owner, at: number): void;
  read(reader: ByteReader): Row;
  rowOf(owner: Owner, at: number): Row;
  restore(owner: SettersOf<Row>, at: number, row: Row): void;
}

export interface RecordOptions {
  /** Added as the first field of every record that is read; not written. */
  readonly kind?: string;
  /** Writes −0 as 0: they are the same amount and need the same bytes. */
  readonly hasOneZero?: boolean;
}

/** Records that are plain objects. */
export function recordForm<Row>(fields: FieldTable<Row>, options: RecordOptions = {}): ValueForm<Row> {
  const { forms, writes, reads } = linesOf(fields, (name) => `row.${name}`, options);
  return withMethods(forms, [`write(writer, row) { ${writes} }`, `read(reader) { return { ${reads} }; }`]);
}

/** Some fields of records that are plain objects. */
export function partForm<Row>() {
  return <Name extends keyof Row & string>(
    fields: {
      readonly [Field in Name]: FormOf<Row[Field]>;
    },
  ): ValueForm<Pick<Row, Name>> => recordForm<object>(fields) as ValueForm<Pick<Row, Name>>;
}

/** −0 is written as 0. */
export function columnsForm<Owner>() {
  return <Name extends keyof Owner & string>(
    columns: ColumnTable<Owner, Name>,
  ): ColumnsForm<Owner, RowOf<Owner, Name>> => {
    const { forms, writes, reads } = linesOf(columns, (name) => `owner.${name}(at)`, { hasOneZero: true });
    const names = Object.keys(columns);
    const cells = names.map((name) => `${name}: owner.${name}(at)`);
    const setters = names.map((name) => `owner.set${name[0]!.toUpperCase()}${name.slice(1)}(at, row.${name});`);
    return withMethods(forms, [
      `write(writer, owner, at) { ${writes} }`,
      `read(reader) { return { ${reads} }; }`,
      `rowOf(owner, at) { return { ${cells.join(", ")} }; }`,
      `restore(owner, at, row) { ${setters.join("\n")} }`,
    ]);
  };
}

/** A value of a form, or null. */
export function optionalForm<Value extends object>(form: ValueForm<Value>, name: string): ValueForm<Value | null> {
  return {
    write(writer, value) {
      if (typeof value !== "object") throw new CodecFault(`${typeof value} instead of ${name}`);
      writer.flag(value !== null);
      if (value !== null) form.write(writer, value);
    },
    read: (reader) => (reader.flag() ? form.read(reader) : null),
  };
}

/** A name as its place in a list; such lists only ever grow at the end. */
export function nameForm<Name extends string>(names: readonly Name[]): ValueForm<Name> {
  const places = new Map(names.map((name, place) => [name, place]));
  return {
    write(writer, name) {
      const place = places.get(name);
      if (place === undefined) throw new CodecFault(`${name} is none of ${names.join(", ")}`);
      writer.byte(place);
    },
    read(reader) {
      const place = reader.byte();
      const name = names[place];
      if (name === undefined) throw new CodecFault(`${place} is no place in ${names.join(", ")}`);
      return name;
    },
  };
}

/** For each field a line that writes it and one that reads it, and the forms that these lines name. */
function linesOf(fields: object, accessTo: (name: string) => string, { kind, hasOneZero = false }: RecordOptions) {
  const forms: ValueForm<unknown>[] = [];
  const writes: string[] = [];
  const reads: string[] = kind === undefined ? [] : [`kind: ${JSON.stringify(kind)}`];
  for (const [name, form] of Object.entries(fields) as [string, string | ValueForm<unknown>][]) {
    if (typeof form === "string") {
      const isNumber = form === "number" || form === "signed";
      writes.push(`writer.${form}(${accessTo(name)}${isNumber && hasOneZero ? " + 0" : ""});`);
      reads.push(`${name}: reader.${form}()`);
      continue;
    }
    const index = forms.push(form) - 1;
    writes.push(`form${index}.write(writer, ${accessTo(name)});`);
    reads.push(`${name}: form${index}.read(reader)`);
  }
  return { forms, writes: writes.join("\n"), reads: reads.join(",\n") };
}

/** An object with these methods, which name the forms. */
function withMethods<Methods>(forms: readonly ValueForm<unknown>[], methods: readonly string[]): Methods {
  const names = forms.map((_, index) => `form${index}`);
  const make = compiled<(...forms: readonly ValueForm<unknown>[]) => Methods>(
    names,
    `return { ${methods.join(",\n")} };`,
  );
  return make(...forms);
}
