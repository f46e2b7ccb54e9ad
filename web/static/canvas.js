// Draws the graph on a 2D canvas from packed numbers, for views with more cards
// than the document should contain, and for the minimap. The layout of the
// numbers is that of app/ui/canvas/pack.go: a card is x, y, width, height,
// flags; an edge is flags, then six points. It is called for every frame of a
// gesture, so it allocates no memory and sets each style only once.
(() => {
  "use strict";
  /** @typedef {CanvasRenderingContext2D} Context */
  /** @typedef {ArrayLike<number>} Numbers */
  const CARD = 5, EDGE = 13, START = 3, ENDING = 4;
  const SELECTED = 8, BAD = 16, TALK = 32, WARNED = 64, DASHED = 4, DANGLING = 8, HOT = 16, BACK = 32, GAP = 64;
  // Indexes in the palette, after the fills of the six kinds of cards.
  const PLATE = 6, LINE = 12, EDGE_INK = 13, ACCENT = 14, BAD_INK = 15, WARN = 16, PANEL = 11;

  // Below this zoom the corners of a path cannot be made out, nor its arrow.
  const STRAIGHT = 0.12;
  // Below this zoom a gap is as narrow as a line.
  const GAPS = 0.2;
  // The stroke of a jump back, as a part of that of other edges.
  const QUIET = 0.625;
  // Below this zoom cards are only patches of color; detail.go has the same.
  const PLATES = 0.17;

  // Fills the heads of the arrows of the edges whose style bits equal want. They
  // have the same size at every zoom; a stub has none.
  /** @type {(ctx: Context, e: Numbers, mask: number, want: number, zoom: number) => void} */
  const heads = (ctx, e, mask, want, zoom) => {
    const length = 6.5 / zoom, half = 3 / zoom;
    ctx.beginPath();
    for (let i = 0; i < e.length; i += EDGE) {
      if ((e[i] & mask) !== want || (e[i] & 3) === 1) continue;
      const k = i + 11, x = e[k] - 1 / zoom, y = e[k + 1];
      if (x < box.x0 || x - length > box.x1 || y < box.y0 || y > box.y1) continue;
      ctx.moveTo(x, y);
      ctx.lineTo(x - length, y - half);
      ctx.lineTo(x - length, y + half);
    }
    ctx.fill();
  };

  /** @type {(ctx: Context, e: Numbers, i: number, n: number) => void} */
  const polyline = (ctx, e, i, n) => {
    ctx.moveTo(e[i + 1], e[i + 2]);
    for (let k = 1; k < n; k++) ctx.lineTo(e[i + 1 + 2 * k], e[i + 2 + 2 * k]);
  };

  // Strokes the edges whose style bits equal want.
  /** @type {(ctx: Context, e: Numbers, mask: number, want: number) => void} */
  const edges = (ctx, e, mask, want) => {
    ctx.beginPath();
    for (let i = 0; i < e.length; i += EDGE) {
      const flags = e[i];
      if ((flags & mask) !== want) continue;
      const n = (flags & 3) === 0 ? 6 : 2;
      let x0 = Infinity, y0 = Infinity, x1 = -Infinity, y1 = -Infinity;
      for (let k = i + 1; k < i + 1 + 2 * n; k += 2) {
        if (e[k] < x0) x0 = e[k];
        if (e[k] > x1) x1 = e[k];
        if (e[k + 1] < y0) y0 = e[k + 1];
        if (e[k + 1] > y1) y1 = e[k + 1];
      }
      if (x1 < box.x0 || x0 > box.x1 || y1 < box.y0 || y0 > box.y1) continue;
      polyline(ctx, e, i, n);
    }
    ctx.stroke();
  };

  // Clears the gaps where edges cross, and draws the edges over them again. A gap
  // is a line of two points in the place of an edge, on the edge that gives way.
  /** @type {(ctx: Context, e: Numbers, line: number) => void} */
  const gaps = (ctx, e, line) => {
    ctx.beginPath();
    for (let i = 0; i < e.length; i += EDGE) {
      if (!(e[i] & GAP)) continue;
      const x = e[i + 1], y = e[i + 2], w = e[i + 3] - x, h = e[i + 4] - y;
      if (x > box.x1 || x + w < box.x0 || y > box.y1 || y + h < box.y0) continue;
      const cx = w > 0 ? 0 : line, cy = h > 0 ? 0 : line;
      ctx.clearRect(x - cx, y - cy, w + 2 * cx, h + 2 * cy);
      if (h > 0) {
        ctx.moveTo(x - cx, y + h / 2);
        ctx.lineTo(x + cx, y + h / 2);
      } else {
        ctx.moveTo(x + w / 2, y - cy);
        ctx.lineTo(x + w / 2, y + cy);
      }
    }
    ctx.stroke();
  };

  const box = { x0: 0, y0: 0, x1: 0, y1: 0 };
  /** @type {number[]} */
  const none = [];
  const dashes = [8, 8];

  window.formgraphDraw = (ctx, cards, edgeList, palette, x, y, zoom, width, height, ratio) => {
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    ctx.clearRect(0, 0, width, height);
    ctx.setTransform(ratio * zoom, 0, 0, ratio * zoom, ratio * x, ratio * y);
    box.x0 = -x / zoom;
    box.y0 = -y / zoom;
    box.x1 = (width - x) / zoom;
    box.y1 = (height - y) / zoom;

    if (edgeList.length > 0) {
      const straight = zoom < STRAIGHT;
      const MASK = DASHED | DANGLING | HOT | BACK | GAP;
      const line = Math.max(2, 1 / zoom);
      /** @type {(ink: number, mask: number, want: number) => void} */
      const draw = (ink, mask, want) => {
        ctx.strokeStyle = ctx.fillStyle = palette[ink];
        edges(ctx, edgeList, mask, want);
        if (!straight) heads(ctx, edgeList, mask, want, zoom);
      };
      ctx.lineWidth = line;
      draw(EDGE_INK, MASK, 0);
      draw(WARN, DANGLING, DANGLING);
      ctx.lineWidth = line * QUIET;
      draw(EDGE_INK, MASK, BACK);
      // Dashes finer than a pixel would only make the line paler, at great
      // cost.
      ctx.setLineDash(straight ? none : dashes);
      draw(EDGE_INK, MASK, DASHED | BACK);
      ctx.lineWidth = line;
      draw(EDGE_INK, MASK, DASHED);
      ctx.setLineDash(none);
      if (zoom >= GAPS) gaps(ctx, edgeList, line);
      ctx.lineWidth = Math.max(2.5, 2 / zoom);
      draw(ACCENT, HOT | DANGLING, HOT);
    }

    // A card is a plate with a bar on its left in the colour of its kind; if
    // the plate is only a few pixels wide, or the card is one of the two ends,
    // the colour fills it.
    const plates = zoom >= PLATES;
    for (let kind = 0; kind < 6; kind++) {
      const bar = plates && kind !== START && kind !== ENDING;
      if (bar) fill(ctx, cards, kind, palette[PLATE + kind], Infinity);
      fill(ctx, cards, kind, palette[kind], bar ? 4 / zoom : Infinity);
    }
    if (plates) frames(ctx, cards, palette[LINE], 1 / zoom, 0, 0);
    frames(ctx, cards, palette[BAD_INK], 2 / zoom, BAD, BAD);
    frames(ctx, cards, palette[ACCENT], 3 / zoom, SELECTED, SELECTED);
    if (zoom > 0.04) marks(ctx, cards, palette, zoom); // not on the minimap of a large form
  };

  // Fills the cards of a kind, up to a maximum width from the left.
  /** @type {(ctx: Context, cards: Numbers, kind: number, colour: string, most: number) => void} */
  const fill = (ctx, cards, kind, colour, most) => {
    ctx.fillStyle = colour;
    for (let i = 0; i < cards.length; i += CARD) {
      if ((cards[i + 4] & 7) !== kind) continue;
      if (cards[i] > box.x1 || cards[i + 1] > box.y1 || cards[i] + cards[i + 2] < box.x0 || cards[i + 1] + cards[i + 3] < box.y0) continue;
      ctx.fillRect(cards[i], cards[i + 1], Math.min(most, cards[i + 2]), cards[i + 3]);
    }
  };

  // Marks the cards with problems or warnings, and left of that those with
  // comments, in the upper right corner of the card. Where titles can be read,
  // the marks keep their size; smaller cards have dots.
  const MARK = 16;
  /** @type {(ctx: Context, cards: Numbers, palette: ArrayLike<string>, zoom: number) => void} */
  const marks = (ctx, cards, palette, zoom) => {
    const titled = zoom >= PLATES, r = titled ? 6 / zoom : Math.max(24, 2 / zoom), step = titled ? MARK / zoom : 2.3 * r;
    ctx.lineWidth = 1.5 / zoom;
    for (let i = 0; i < cards.length; i += CARD) {
      const flags = cards[i + 4];
      if (!(flags & (BAD | TALK | WARNED))) continue;
      if (cards[i] > box.x1 || cards[i + 1] > box.y1 || cards[i] + cards[i + 2] < box.x0 || cards[i + 1] + cards[i + 3] < box.y0) continue;
      let x = cards[i] + cards[i + 2] - (titled ? step / 2 + 1 / zoom : 14 + r);
      const y = cards[i + 1] + (titled ? Math.max(HEAD, Math.min(cards[i + 3], LINE_HEIGHT / zoom)) / 2 : 14 + r);
      if (flags & (BAD | WARNED)) {
        disc(ctx, x, y, r, palette[flags & BAD ? BAD_INK : WARN], palette[PANEL]);
        if (titled) {
          ctx.fillStyle = palette[PANEL];
          ctx.fillRect(x - 1 / zoom, y - 4 / zoom, 2 / zoom, 5 / zoom);
          ctx.fillRect(x - 1 / zoom, y + 2 / zoom, 2 / zoom, 2 / zoom);
        }
        x -= step;
      }
      if (flags & TALK) {
        disc(ctx, x, y, r, palette[ACCENT], palette[PANEL], true);
        if (titled) {
          ctx.fillStyle = palette[PANEL];
          ctx.fillRect(x - 3.5 / zoom, y - 2 / zoom, 7 / zoom, 1.5 / zoom);
          ctx.fillRect(x - 3.5 / zoom, y + 1 / zoom, 5 / zoom, 1.5 / zoom);
        }
      }
    }
  };

  // Draws a disc with a border; that of a comment has a tip like a bubble.
  /** @type {(ctx: Context, x: number, y: number, r: number, fill: string, line: string, tip?: boolean) => void} */
  const disc = (ctx, x, y, r, fill, line, tip) => {
    ctx.fillStyle = fill;
    ctx.strokeStyle = line;
    ctx.beginPath();
    if (tip) {
      ctx.arc(x, y, r, Math.PI, Math.PI / 2);
      ctx.lineTo(x - r, y + r);
      ctx.closePath();
    } else ctx.arc(x, y, r, 0, 2 * Math.PI);
    ctx.stroke();
    ctx.fill();
  };

  // The width of each character of a title in pixels, measured once.
  /** @type {Map<string, number>} */
  const widths = new Map();
  /** @type {(ctx: Context, c: string) => number} */
  const width = (ctx, c) => {
    let w = widths.get(c);
    if (w === undefined) widths.set(c, w = ctx.measureText(c).width);
    return w;
  };

  // Returns a title as it fits into a width: whole, or some characters and an
  // ellipsis. If these would be fewer than four, it is empty.
  /** @type {(ctx: Context, title: string, room: number) => string} */
  const cut = (ctx, title, room) => {
    const most = room - width(ctx, "…");
    let used = 0, count = 0, end = 0;
    for (const c of title) {
      used += width(ctx, c);
      if (used > room) return count < 4 ? "" : title.slice(0, end).trimEnd() + "…";
      if (used <= most) {
        count++;
        end += c.length;
      }
    }
    return title;
  };

  // Draws the titles, which are lines of a text, in their cards beside the
  // marks, at the same size at every zoom. The style sheet draws those of cards
  // in the document in the same places.
  const INK = 17, LINE_HEIGHT = 15, HEAD = 40, BAR = 4;
  let text = "";
  /** @type {string[]} */
  let titles = [];
  window.formgraphTitles = (ctx, lines, cards, palette, x, y, zoom, wide, high, ratio) => {
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    if (lines !== text) titles = (text = lines).split("\n");
    ctx.font = '600 11px "Inter", system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';
    ctx.textBaseline = "middle";
    ctx.fillStyle = palette[INK];
    for (let i = 0; i < titles.length; i++) {
      const k = i * CARD, flags = cards[k + 4], kind = flags & 7, end = kind === START || kind === ENDING;
      const px = cards[k] * zoom + x, py = cards[k + 1] * zoom + y, w = cards[k + 2] * zoom, h = cards[k + 3] * zoom;
      if (h < 12 || px > wide || py > high || px + w < 0 || py + h < 0) continue;
      const marked = (flags & (BAD | WARNED) ? MARK : 0) + (flags & TALK ? MARK : 0);
      const title = cut(ctx, titles[i], w - marked - (end ? 4 : BAR + 8));
      if (!title || end && title !== titles[i]) continue;
      ctx.textAlign = end ? "center" : "left";
      ctx.fillText(title, px + (end ? (w - marked) / 2 : BAR + 4), py + Math.max(HEAD * zoom, Math.min(h, LINE_HEIGHT)) / 2);
    }
  };

  /** @type {(ctx: Context, cards: Numbers, colour: string, line: number, mask: number, want: number) => void} */
  const frames = (ctx, cards, colour, line, mask, want) => {
    ctx.lineWidth = line;
    ctx.strokeStyle = colour;
    ctx.beginPath();
    let any = false;
    for (let i = 0; i < cards.length; i += CARD) {
      if ((cards[i + 4] & mask) !== want) continue;
      if (cards[i] > box.x1 || cards[i + 1] > box.y1 || cards[i] + cards[i + 2] < box.x0 || cards[i + 1] + cards[i + 3] < box.y0) continue;
      ctx.rect(cards[i], cards[i + 1], cards[i + 2], cards[i + 3]);
      any = true;
    }
    if (any) ctx.stroke();
  };
})();
