/**
 * Labels of buttons that confirm or cancel a choice, in common languages. They are compared in lower case.
 */

/** Matches labels of buttons that apply a choice and close its popup. */
export const CONFIRM_LABEL =
  /^(ok|okay|done|apply|confirm|select|choose|set|save|accept|fertig|übernehmen|anwenden|speichern|bestätigen|auswählen|valider|appliquer|terminé|aceptar|aplicar|listo|confirmar|concluir|applica|conferma|fatto|gereed|klaar|toepassen|zastosuj|gotowe|确定|完成|確定|決定|適用|完了|확인|적용|готово|применить)$/;

/** Matches labels of buttons that close a popup without a choice. */
export const CANCEL_LABEL =
  /^(cancel|close|dismiss|abbrechen|schließen|annuler|fermer|cancelar|cerrar|fechar|annulla|chiudi|annuleren|sluiten|取消|关闭|閉じる|キャンセル|취소|닫기|отмена|закрыть)$/;
