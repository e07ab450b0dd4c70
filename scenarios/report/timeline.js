// The timeline: a row for each lane, a sign for each event, and where we are.

const kTimelineRows = ['server', 'faults', 'wire', 'reflector', 'queue', 'cache', 'handlers', 'work',
  'goroutines', 'clauses'];
const kColourOf = {work: 'handlers', goroutines: 'handlers', clauses: 'bad'};  // the others have their own
const kLabelWidth = 66;

class Timeline {
  constructor(canvas, player) {
    this.canvas = canvas;
    this.player = player;
    this.rows = kTimelineRows.filter((row) => player.items.some((item) => item.lane === row));
    this.height = Math.max(40, this.rows.length * 12 + 16);
    canvas.style.height = `${this.height}px`;
    this.fit();
  }

  /** Takes the size that the page gives it: at the start and when the window changes. Reading it at
   *  each step would cost a layout of the whole page. */
  fit() {
    const ratio = window.devicePixelRatio || 1;
    this.width = this.canvas.clientWidth;
    this.ratio = ratio;
    this.canvas.width = Math.round(this.width * ratio);
    this.canvas.height = Math.round(this.height * ratio);
    this.drawn = '';
    this.style = getComputedStyle(this.canvas);
    this.colours = {};
  }

  /** A colour of the page, by its name. */
  colour(name) {
    return this.colours[name] ??= this.style.getPropertyValue(`--${name}`).trim();
  }

  /** The place that belongs to a point of the picture. */
  placeAt(x) {
    const width = this.width - kLabelWidth - 8;
    const part = Math.max(0, Math.min(1, (x - kLabelWidth) / width));
    return this.stops[Math.round(part * (this.stops.length - 1))] ?? 0;
  }

  /** Draws the signs of the stops where they are other ones than before, by `filter`, which names what
   *  is wanted and hidden; and always the lines. */
  draw(stops, {filter, wanted, hides, turns, difference}) {
    this.stops = stops;
    const {canvas, width, height, ratio} = this;
    if (width === 0) {
      return;  // a frame that is not laid out
    }
    const span = Math.max(1, stops.length - 1);
    const xOf = (i) => kLabelWidth + (width - kLabelWidth - 8) * i / span;
    const name = `${filter} ${difference}`;
    if (this.drawn !== name) {
      this.drawn = name;
      this.picture = document.createElement('canvas');
      this.picture.width = canvas.width;
      this.picture.height = canvas.height;
      const pen = this.penOf(this.picture, ratio);
      this.drawRows(pen, width);
      stops.forEach((stop, i) => {
        const item = this.player.items[stop - 1];
        if (item && !hides(item)) {
          this.mark(pen, item, {x: xOf(i), isWanted: wanted(item)});
        }
      });
      this.drawDifferences(pen, stops, xOf, difference);
    }
    const pen = this.penOf(canvas, ratio);
    pen.clearRect(0, 0, width, height);
    pen.drawImage(this.picture, 0, 0, width, height);
    this.lines(pen, xOf, turns, height);
  }

  /** Of two runs: what only one of them does, and where they differ first. */
  drawDifferences(pen, stops, xOf, difference) {
    const wide = Math.max(2, xOf(1) - xOf(0));
    pen.fillStyle = this.colour('side');
    pen.globalAlpha = 0.22;
    stops.forEach((stop, i) => {
      if (stop > 0 && this.player.items[stop - 1].side) {
        pen.fillRect(xOf(i) - wide / 2, 0, wide, this.height - 12);
      }
    });
    pen.globalAlpha = 1;
    const from = stops.indexOf(difference);
    if (from > 0) {
      pen.fillRect(xOf(from) - wide / 2 - 1, 0, 1, this.height - 12);
      pen.fillText('≠', xOf(from) - wide / 2 - 4, this.height - 5);
    }
  }

  penOf(canvas, ratio) {
    const pen = canvas.getContext('2d');
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.font = '10px sans-serif';
    pen.textBaseline = 'middle';
    return pen;
  }

  drawRows(pen, width) {
    this.rows.forEach((row, i) => {
      pen.fillStyle = this.colour('faint');
      pen.fillText(row, 2, 8 + i * 12);
      pen.fillStyle = this.colour('line');
      pen.fillRect(kLabelWidth, 8 + i * 12, width - kLabelWidth - 8, 1);
    });
  }

  /** The sign of an event; none of what has no row. */
  mark(pen, item, {x, isWanted}) {
    const row = this.rows.indexOf(item.lane);
    if (row < 0) {
      return;
    }
    const y = 8 + row * 12;
    pen.globalAlpha = isWanted ? 1 : 0.2;
    pen.fillStyle = pen.strokeStyle = this.colour(kColourOf[item.lane] ?? item.lane);
    if (item.lane === 'clauses') {
      pen.lineWidth = 2;
      pen.beginPath();
      pen.moveTo(x - 4, y - 4);
      pen.lineTo(x + 4, y + 4);
      pen.moveTo(x + 4, y - 4);
      pen.lineTo(x - 4, y + 4);
      pen.stroke();
    } else if (item.lane === 'faults') {
      pen.fillRect(x - 3, y - 3, 6, 6);
    } else {
      pen.beginPath();
      pen.arc(x, y, 3, 0, 2 * Math.PI);
      pen.fill();
    }
    pen.globalAlpha = 1;
  }

  lines(pen, xOf, turns, height) {
    const nearest = (place) => xOf(Math.max(0, this.stops.findLastIndex((stop) => stop <= place)));
    pen.lineWidth = 1.5;
    let free = 0;  // where no number stands
    turns.forEach((place, i) => {
      const x = nearest(place);
      const room = 8 * (turns.length - i);  // for the numbers that follow, up to the edge
      const left = Math.max(Math.min(x - 3, this.width - room), free);
      free = left + 9;
      pen.strokeStyle = this.colour('bad');
      pen.setLineDash([3, 3]);
      pen.beginPath();
      pen.moveTo(x, 0);
      pen.lineTo(x, height - 12);
      pen.stroke();
      pen.setLineDash([]);
      pen.fillStyle = this.colour('bad');
      pen.font = 'bold 11px sans-serif';
      pen.fillText(String(i + 1), left, height - 6);
    });
    const x = nearest(this.player.place);
    pen.strokeStyle = this.colour('ink');
    pen.lineWidth = 2;
    pen.beginPath();
    pen.moveTo(x, 0);
    pen.lineTo(x, height - 12);
    pen.stroke();
  }
}
