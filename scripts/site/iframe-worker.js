// The search runs in a worker, and browsers start none for a page that was opened from the disk. There this class takes the
// worker's place: the script runs in a hidden frame, which has the interface of a worker inside.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(script) {
      super();
      this.early = [];
      const frame = document.createElement("iframe");
      frame.hidden = true;
      frame.srcdoc = "<!doctype html><body>";
      frame.onload = () => {
        const inside = frame.contentWindow;
        inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
        const element = inside.document.createElement("script");
        element.src = new URL(script, location.href);
        element.onload = () => {
          this.inside = inside;
          this.early.splice(0).forEach((data) => this.postMessage(data));
        };
        inside.document.body.append(element);
      };
      document.body.append(frame);
    }

    postMessage(data) {
      if (this.inside) this.inside.dispatchEvent(new this.inside.MessageEvent("message", { data }));
      else this.early.push(data);
    }
  };
}
