(function(){{{base}}
fetch(base+"api.phx.aero/avn-wait-times/raw?Key={{key}}");
})();
