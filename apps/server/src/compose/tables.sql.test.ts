import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, describe, it } from "node:test";
import { sql } from "kysely";
import { openTestDatabase, type TestDatabase } from "../kernel/database/testing.ts";
import { migrations } from "./migrations.ts";

const SERVER = dirname(import.meta.dirname);

interface Column {
  readonly name: string;
  readonly isNullable: boolean;
}

const COMMENT = /\/\*[\s\S]*?\*\//g;
const FIELD = /^\s*(?:readonly )?(\w+)\??:\s*([^;]+);/gm;
/** Types of nullable columns contain null, or are made by one of these. */
const NULLABLE = /\bnull\b|^Later\w*|^Nullable\w*/;

const fieldsOf = (body: string): { name: string; type: string }[] =>
  [...body.matchAll(FIELD)].map(([, name = "", type = ""]) => ({ name, type: type.trim() }));

/** The interfaces of a source file, each with the columns of the one it extends. */
function tableTypes(text: string): Map<string, Column[]> {
  const found = new Map<string, Column[]>();
  for (const [, name = "", base = "", body = ""] of text.matchAll(/interface (\w+)(?: extends (\w+))? \{([^}]*)\}/g)) {
    const own = fieldsOf(body).map((field) => ({ name: field.name, isNullable: NULLABLE.test(field.type) }));
    found.set(name, [...(found.get(base) ?? []), ...own]);
  }
  return found;
}

/** The tables with their types: the fields of every `…Tables` of a source file whose type is a `…Table`. */
function tablesOf(text: string): { table: string; type: string }[] {
  const bodies = [...text.matchAll(/export (?:interface|type) \w+Tables\b[^{]*\{([^}]*)\}/g)];
  return bodies.flatMap(([, body = ""]) =>
    [...body.matchAll(/(\w+): (\w+Table)\b/g)].map(([, table = "", type = ""]) => ({ table, type })),
  );
}

describe("the types of tables", () => {
  let database: TestDatabase;
  before(async () => {
    database = await openTestDatabase(migrations);
  });
  after(() => database.close());

  const sources = globSync("**/tables.ts", { cwd: SERVER }).map((path) =>
    readFileSync(join(SERVER, path), "utf8").replaceAll(COMMENT, ""),
  );
  const types = new Map(sources.flatMap((text) => [...tableTypes(text)]));
  const tables = sources.flatMap(tablesOf);

  it("are there for most tables, so that the comparison below compares something", () => {
    assert.ok(tables.length > 50, `${tables.length} tables have a type`);
  });

  for (const { table, type } of tables) {
    it(`have the columns that the migrations give ${table}`, async () => {
      const { rows } = await sql<{ name: string; is_nullable: string }>`
        select column_name as name, is_nullable from information_schema.columns
        where table_schema = current_schema() and table_name = ${table}`.execute(database.db);
      const written = types.get(type);
      assert.ok(written !== undefined, `${type} is in no tables.ts`);
      const byName = (a: Column, b: Column) => (a.name < b.name ? -1 : 1);
      const migrated = rows.map(({ name, is_nullable }) => ({ name, isNullable: is_nullable === "YES" }));
      assert.deepEqual([...written].sort(byName), migrated.sort(byName));
    });
  }
});
