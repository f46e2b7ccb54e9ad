// What the scripts of web/static share: with each other, with the programs in WebAssembly, and with browsers that know more than the types of
// the compiler do.

/** Part of wasm_exec.js, which the build copies from the toolchain. */
declare class Go {
  importObject: WebAssembly.Imports;
  run(instance: WebAssembly.Instance): Promise<void>;
}

/** What was made by a policy is text for the types: the properties that need it accept text, too, in a browser without policies. */
interface TrustedPolicy {
  createHTML(html: string): string;
  createScriptURL(address: string): string;
}
interface TrustedTypes {
  createPolicy(name: string, rules: Partial<TrustedPolicy>): TrustedPolicy;
}
declare const trustedTypes: TrustedTypes;
interface WorkerGlobalScope {
  trustedTypes?: TrustedTypes;
}

interface Window {
  trustedTypes?: TrustedTypes;

  // boot.js
  formgraph: Readonly<{ dialect: string; remote: boolean; account: boolean; version: string; build: string; go: string }>;
  formgraphWorker(): Worker;
  formgraphNear(e: Event, selector: string): Element | null;
  formgraphNeed(part: string): void;
  formgraphSync(typing: string): void;
  formgraphAsk(title: string, text: string, choices: string[]): Promise<number>;
  formgraphDownload(name: string, text: string): void;
  formgraphSubmit(address: string, fields: string[]): void;
  formgraphEvents(address: string, kinds: string, heard: (kind: string, id: string, data: string) => void): { close(): void };
  formgraphTyped: number;
  formgraphComposing: Element | null; // in which an input method composes a text
  goappGetenv(name: string): string;

  // desk.js
  formgraphDesk(): Worker;

  // canvas.js
  formgraphDraw(
    ctx: CanvasRenderingContext2D, cards: ArrayLike<number>, edges: ArrayLike<number>, palette: ArrayLike<string>,
    x: number, y: number, zoom: number, width: number, height: number, ratio: number,
  ): void;
  formgraphTitles(
    ctx: CanvasRenderingContext2D, titles: string, cards: ArrayLike<number>, palette: ArrayLike<string>,
    x: number, y: number, zoom: number, width: number, height: number, ratio: number,
  ): void;
}

/** The value of a control that the program knows: the last one that boot.js set, or that an input event reported. */
interface HTMLInputElement {
  formgraphSeen?: string;
}

/** What desk.js remembers about an element of the desk. */
interface HTMLElement {
  deskEditing?: boolean; // the keys edit the text of this cell, and do not move
  deskFresh?: boolean; // the focus came with the press that is under way
  deskLeaves?: boolean; // Tab leaves the code
  deskListens?: boolean;
  deskRests?: ReturnType<typeof setTimeout>; // runs once the scrolling has stopped
  deskSent?: number; // the number of the last input
  deskWatched?: boolean;
}
