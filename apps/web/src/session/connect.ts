import { createStore } from "../lib/store.ts";

/** Whether the dialog that signs a wallet in is open. */
export const connectDialog = createStore(false);
export const openConnect = (): void => connectDialog.set(true);
