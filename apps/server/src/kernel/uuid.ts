const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const isUuid = (text: string): boolean => UUID.test(text);

/** A UUID in lower case, the way the database writes it; undefined where the text is none. */
export const parseUuid = (text: string): string | undefined => (isUuid(text) ? text.toLowerCase() : undefined);
