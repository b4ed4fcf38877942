// The search of the site runs in a worker, and browsers start no worker from a page on a disk. There, and only there, a hidden
// frame does the work of the worker: it runs the same script and exchanges the same messages.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(address) {
      super();
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      document.body.append(this.frame);
      const inside = this.frame.contentWindow;
      const hear = data => {
        const message = new MessageEvent("message", { data });
        this.dispatchEvent(message);
        if (this.onmessage) this.onmessage(message);
      };
      // What the script in the frame sends goes to the page, and the other way round.
      inside.postMessage = data => setTimeout(hear, 0, data);
      inside.importScripts = (...addresses) => Promise.all(addresses.map(one => new Promise(done => {
        const script = inside.document.createElement("script");
        script.src = new URL(one, address).href;
        script.onload = done;
        inside.document.body.append(script);
      })));
      const script = inside.document.createElement("script");
      this.ready = new Promise(done => { script.onload = done; });
      script.src = address;
      inside.document.body.append(script);
    }
    postMessage(data) {
      this.ready.then(() => this.frame.contentWindow.dispatchEvent(new MessageEvent("message", { data })));
    }
    terminate() {
      this.frame.remove();
    }
  };
}
