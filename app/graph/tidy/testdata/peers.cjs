// Lays graphs out with ELK and dagre: reads a list of graphs on its standard input, and writes the drawings.
"use strict";
const ELK = require("elkjs");
const dagre = require("@dagrejs/dagre");
const elk = new ELK();
let text = "";
process.stdin.on("data", (d) => { text += d; });
process.stdin.on("end", async () => {
  const out = { elk: [], "elk-lr": [], dagre: [] };
  for (const g of JSON.parse(text)) {
    const root = (leftToRight) => ({
      id: "root",
      layoutOptions: {
        "elk.algorithm": "layered", "elk.direction": "RIGHT", "elk.edgeRouting": "ORTHOGONAL",
        "elk.layered.spacing.nodeNodeBetweenLayers": "80", "elk.spacing.nodeNode": "40", "elk.spacing.edgeEdge": "12",
        "elk.layered.spacing.edgeEdgeBetweenLayers": "12", "elk.separateConnectedComponents": "false",
      },
      children: g.cards.map((c, i) => ({
        id: "n" + i, width: c.w, height: c.h, layoutOptions: { "elk.portConstraints": "FIXED_POS" },
        ports: [{ id: `n${i}in`, x: 0, y: c.in, width: 0, height: 0, layoutOptions: { "elk.port.side": "WEST" } },
          ...(c.out || []).map((y, k) => ({ id: `n${i}o${k}`, x: c.w, y, width: 0, height: 0, layoutOptions: { "elk.port.side": "EAST" } }))],
      })),
      edges: g.edges.map((e, i) => ({ id: "e" + i, sources: [`n${e.from}o${e.out}`], targets: [`n${e.to}in`],
        layoutOptions: { "elk.layered.priority.direction": leftToRight && !e.back ? "100" : "0" } })),
    });
    for (const leftToRight of [false, true]) {
      const r = await elk.layout(root(leftToRight));
      out[leftToRight ? "elk-lr" : "elk"].push({
        cards: r.children.map((c) => ({ X: c.x, Y: c.y, W: c.width, H: c.height })),
        edges: r.edges.map((e) => e.sections.flatMap((s) => [s.startPoint, ...(s.bendPoints || []), s.endPoint]).map((p) => ({ X: p.x, Y: p.y }))),
      });
    }
    const d = new dagre.graphlib.Graph({ multigraph: true });
    d.setGraph({ rankdir: "LR", ranksep: 80, nodesep: 40 });
    g.cards.forEach((c, i) => d.setNode("n" + i, { width: c.w, height: c.h }));
    g.edges.forEach((e, i) => d.setEdge("n" + e.from, "n" + e.to, {}, "e" + i));
    dagre.layout(d);
    const cards = g.cards.map((c, i) => { const n = d.node("n" + i); return { X: n.x - c.w / 2, Y: n.y - c.h / 2, W: c.w, H: c.h }; });
    out.dagre.push({
      cards,
      // dagre knows no handles: its lines end at the sides of cards. They are drawn from handle to handle.
      edges: g.edges.map((e, i) => {
        const from = cards[e.from], to = cards[e.to], all = d.edge("n" + e.from, "n" + e.to, "e" + i).points || [];
        return [{ X: from.X + from.W, Y: from.Y + g.cards[e.from].out[e.out] }, ...all.slice(1, -1).map((p) => ({ X: p.x, Y: p.y })),
          { X: to.X, Y: to.Y + g.cards[e.to].in }];
      }),
    });
  }
  process.stdout.write(JSON.stringify(out));
});
